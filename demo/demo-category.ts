import type { Palette } from './photo.ts'
import type { Emoji } from './still-life.ts'

export type DemoProduct = {
  name: string
  /** What the photo shows. */
  emoji: Emoji
  /** In major units. */
  price: number
  quantity: number
  shipping: boolean
  description: string
}

/** A shelf of the demo, its best things first. */
export type DemoCategory = { name: string; palette: Palette; products: DemoProduct[] }
