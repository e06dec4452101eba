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
  /** The quantity of each size; the first size has that of the product. */
  sizes?: Record<string, number>
  facts?: DemoFacts
}

/** The attributes by which the demo describes products. */
export type DemoFacts = {
  Material?: string
  'Machine-washable'?: 'yes' | 'no'
  /** In litres. */
  Capacity?: string
}

/** A category of the demo, its best products first. */
export type DemoCategory = { name: string; palette: Palette; products: DemoProduct[] }
