/** Products for those who sell them: priced from the database, and never more pieces than there are. */
import { invalid, outOfStock } from '#app/shared/server/failure.ts'
import type { Database } from '#db/schema.ts'
import { decreaseStock, selectProductsAsSold, selectStock } from './stock-store.ts'

/** A product of a cart with how many pieces of it, as it is sold now; the price is in minor units. */
export type CartLine = {
  product_id: string
  quantity: number
  name: string
  slug: string
  description: string
  price_minor: number
}

/** What the lines cost together, in minor units. */
export const totalOf = (lines: CartLine[]) =>
  lines.reduce((total, { price_minor, quantity }) => total + price_minor * quantity, 0)

/**
 * The lines of a cart at today's prices, equal products summed, in the order of the cart.
 * `ids` has one entry a piece. Throws `invalid` when one of them is no product.
 */
export async function priceCart(db: Database, ids: string[]): Promise<CartLine[]> {
  const pieces = new Map<string, number>()
  for (const id of ids.map((id) => id.toLowerCase())) pieces.set(id, (pieces.get(id) ?? 0) + 1)
  if (pieces.size === 0) return []
  const products = await selectProductsAsSold(db, [...pieces.keys()])
  const byId = new Map(products.map((product) => [product.id, product]))
  return [...pieces].map(([product_id, quantity]) => {
    const product = byId.get(product_id)
    if (!product) throw invalid('The cart has a product that is not sold here.')
    const { id, ...asSold } = product
    return { product_id: id, quantity, ...asSold }
  })
}

function shortage({ name }: CartLine, left: number | undefined) {
  if (left === undefined) return outOfStock(`${name} is no longer sold: 0 left.`)
  if (left === 0) return outOfStock(`${name} is sold out: 0 left.`)
  return outOfStock(`Not enough of ${name} in stock: only ${left} left.`)
}

/** Throws `out_of_stock`, naming the product and what is left, when a line asks for too much now. */
export async function requireStock(db: Database, lines: CartLine[]): Promise<void> {
  const stock = await selectStock(
    db,
    lines.map(({ product_id }) => product_id),
  )
  const left = new Map(stock.map(({ id, quantity }) => [id, quantity]))
  const short = lines.find((line) => (left.get(line.product_id) ?? 0) < line.quantity)
  if (short) throw shortage(short, left.get(short.product_id))
}

/**
 * Takes the lines out of the stock. Products are locked in the order of their ids, always, so
 * that two sales never wait for each other. Throws `out_of_stock`, naming the product and what is
 * left; what it took before that is undone with the caller's transaction or savepoint.
 */
export async function takeStock(tx: Database, lines: CartLine[]): Promise<void> {
  const inIdOrder = lines.toSorted((a, b) => (a.product_id < b.product_id ? -1 : 1))
  for (const line of inIdOrder) {
    if (await decreaseStock(tx, line.product_id, line.quantity)) continue
    const [found] = await selectStock(tx, [line.product_id])
    throw shortage(line, found?.quantity)
  }
}
