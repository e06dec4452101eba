import type { Generated, GeneratedAlways } from 'kysely'

/** What lists of products are counted by; written by the database's triggers alone. */
export type ListSchema = {
  product_counts: {
    category_id: string
    price_band: number
    products: number
    in_stock: Generated<number>
  }
  /** How many products of a list are among 2^level numbers. */
  product_slices: {
    list: string
    level: number
    slice: number
    cells: number[]
    products: GeneratedAlways<number>
  }
  /** The products of a category by price, in blocks: where each begins, and how many it has. */
  product_blocks: {
    category_id: string
    from_price: number
    from_number: number
    products: number
    in_stock: number
  }
  /** What a transaction has still to count. */
  product_moves: {
    transaction: Generated<string>
    category_id: string
    number: number
    price_minor: number
    in_stock: boolean
    change: number
    wakes: boolean
  }
}
