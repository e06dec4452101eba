/** Products for those who sell them: priced from the database, and never more pieces than there are. */
import { invalid, outOfStock } from '#app/shared/server/failure.ts'
import type { Database } from '#db/schema.ts'
import { publishSales, type Sale } from './publish.ts'
import { changeStock, selectProductsAsSold, selectStock } from './stock-store.ts'

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

/** Whether each of the lines would be sold at its price today. */
export async function arePricesOfToday(db: Database, lines: CartLine[]): Promise<boolean> {
  const products = await selectProductsAsSold(
    db,
    lines.map(({ product_id }) => product_id),
  )
  const prices = new Map(products.map(({ id, price_minor }) => [id, price_minor]))
  return lines.every(({ product_id, price_minor }) => prices.get(product_id) === price_minor)
}

function shortage({ name }: CartLine, left: number | undefined) {
  if (left === undefined) return outOfStock(`${name} is no longer sold: 0 left.`)
  if (left === 0) return outOfStock(`${name} is sold out: 0 left.`)
  return outOfStock(`Not enough of ${name} in stock: only ${left} left.`)
}

type Pieces = Pick<CartLine, 'product_id' | 'quantity'>

/** What changes for each product, in the order of their ids: pieces taken less pieces given back. */
function changes(taken: CartLine[], returned: Pieces[]) {
  const given = new Map(returned.map(({ product_id, quantity }) => [product_id, quantity]))
  const wanted = new Map(taken.map((line) => [line.product_id, line]))
  return [...new Set([...wanted.keys(), ...given.keys()])].sort().map((id) => {
    const [line, back = 0] = [wanted.get(id), given.get(id)]
    return { id, line, back, pieces: (line?.quantity ?? 0) - back }
  })
}

/**
 * Takes lines out of the stock and gives others back, as one change a product. Products are locked
 * in the order of their ids, always, so that two sales never wait for each other. Throws
 * `out_of_stock`, naming the product and what is left; what it changed before that is undone with
 * the caller's transaction or savepoint.
 */
export async function exchangeStock(
  tx: Database,
  { taken, returned }: { taken: CartLine[]; returned: Pieces[] },
): Promise<void> {
  const sales: Sale[] = []
  for (const { id, line, back, pieces } of changes(taken, returned)) {
    if (pieces === 0) continue
    const after = await changeStock(tx, id, pieces)
    if (after !== undefined) sales.push({ id, before: after + pieces, after })
    else if (pieces > 0 && line) {
      const [found] = await selectStock(tx, [id])
      throw shortage(line, found && found.quantity + back)
    }
  }
  await publishSales(tx, sales)
}

/** Takes the lines out of the stock; throws as `exchangeStock` does. */
export const takeStock = (tx: Database, taken: CartLine[]) =>
  exchangeStock(tx, { taken, returned: [] })

/** Gives the lines back to the stock. */
export const returnStock = (tx: Database, returned: Pieces[]) =>
  exchangeStock(tx, { taken: [], returned })
