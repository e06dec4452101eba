import type { Palette } from './photo.ts'
import type { Emoji } from './still-life.ts'

export type DemoProduct = {
  name: string
  /** The emoji in the photo. */
  emoji: Emoji
  /** Major units. */
  price: number
  quantity: number
  shipping: boolean
  description: string
}

/** A category of the demo, its best products first. */
export type DemoCategory = { name: string; palette: Palette; products: DemoProduct[] }
