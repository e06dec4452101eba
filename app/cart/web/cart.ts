import { atomWithStorage } from 'jotai/utils'
import type { ListedProduct, Product } from '#app/products/contract.ts'

/** A product as it was put into the cart: whole, as the list or the page had it. */
export type CartEntry = ListedProduct | Product

/** The cart of this browser (spec §3): whole products, one entry a piece, in every tab. */
export const cartAtom = atomWithStorage<CartEntry[]>('cart', [])
