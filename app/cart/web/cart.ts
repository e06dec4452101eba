import { atom } from 'nanostores'
import type { Product } from '#app/products/contract.ts'
import { isId } from '#app/shared/contract/fields.ts'
import { MAX_PRICE_MINOR, toMinor } from '#app/shared/model/minor-units.ts'
import { storedAtom } from '#app/shared/web/storage.ts'

/**
 * The fields of a cart entry that the shop reads; the stored entry is the whole product as it was
 * added.
 */
export type CartEntry = Pick<Product, '_id' | 'name' | 'slug' | 'price' | 'quantity' | 'photo'> & {
  /** As the product has it; of one that was added from a card it is fetched then. */
  description?: string | undefined
  /** The beginning of the description as plain text, where it is known. */
  summary?: string | undefined
  /** The price before a reduction. */
  compareAt?: number | undefined
  /** As stored: the id of the variant that was chosen on the page of a product with options. */
  variant?: unknown
}

/** The greatest price of any currency; no quantity is greater (contract: product writes). */
const MAX_AMOUNT = MAX_PRICE_MINOR

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= MAX_AMOUNT

const textIn = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** The entry as stored; null when it cannot be displayed, priced or ordered. */
function cleanEntry(stored: unknown): CartEntry[] {
  if (typeof stored !== 'object' || stored === null) return []
  const facts: { [Fact in keyof CartEntry]?: unknown } = stored
  const { _id, name, slug, description, summary, price, compareAt, quantity, photo } = facts
  if (!isId(_id) || !isAmount(price)) return []
  if (typeof name !== 'string' || typeof slug !== 'string') return []
  return [
    {
      ...stored,
      _id,
      name,
      slug,
      price,
      compareAt: isAmount(compareAt) ? compareAt : undefined,
      description: textIn(description),
      summary: textIn(summary),
      quantity: isAmount(quantity) ? quantity : MAX_AMOUNT,
      photo: typeof photo === 'string' ? photo : null,
    },
  ]
}

/** The valid entries of a stored value. */
export const cleanCart = (stored: unknown): CartEntry[] =>
  Array.isArray(stored) ? stored.flatMap(cleanEntry) : []

/** The cart of this browser (spec §3): whole products, one entry a piece, shared by all tabs. */
export const cartAtom = storedAtom('cart', atom<CartEntry[]>([]), cleanCart)

/** The cart with one more piece (spec §4). */
export const withOne = (cart: CartEntry[], product: CartEntry) => [...cart, product]

/** The cart with one piece fewer of each id, as often as the id is given (spec §4). */
export function without(cart: CartEntry[], ids: string[]): CartEntry[] {
  const remaining = new Map<string, number>()
  for (const id of ids) remaining.set(id, (remaining.get(id) ?? 0) + 1)
  return cart.filter(({ _id }) => {
    const left = remaining.get(_id) ?? 0
    if (left > 0) remaining.set(_id, left - 1)
    return left === 0
  })
}

/** Groups equal entries into lines, in the order in which they were first added. */
export type CartLine = { product: CartEntry; count: number }

export function linesOf(cart: CartEntry[]): CartLine[] {
  const lines = new Map<string, CartLine>()
  for (const product of cart) {
    const count = lines.get(product._id)?.count ?? 0
    lines.set(product._id, { product, count: count + 1 })
  }
  return [...lines.values()]
}

/** The sum of the prices in minor units of their currency, each rounded separately (spec §9). */
export const totalMinor = (cart: CartEntry[], currency: string) =>
  cart.reduce((sum, { price }) => sum + toMinor(price, currency), 0)
