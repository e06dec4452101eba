/** Prices of carts, and changes of stock. */
import { outOfStock } from '#app/shared/server/failure.ts'
import type { Database } from '#db/schema.ts'
import type { ProductAsSold } from './products-as-sold.sql.ts'
import { publishSales, type Sale } from './publish.ts'
import { changeStock, type StockChange, selectStock } from './stock-store.ts'

/** A product of a cart with its quantity and its current price in minor units. */
export type CartLine = Omit<ProductAsSold, 'id'> & { product_id: string; quantity: number }

/** The fields of a line that a payment or an order stores. */
export type SoldLine = Pick<CartLine, 'product_id' | 'quantity' | 'name' | 'price_minor'>

/** The quantity of each product in a cart, in the order of the cart. `ids` has one entry a piece. */
export function quantitiesIn(ids: string[]): Map<string, number> {
  const quantities = new Map<string, number>()
  for (const id of ids.map((id) => id.toLowerCase()))
    quantities.set(id, (quantities.get(id) ?? 0) + 1)
  return quantities
}

/** The lines of a cart at the prices of `products`, and the ids of products that are no longer sold. */
export function cartLines(quantities: Map<string, number>, products: ProductAsSold[]) {
  const byId = new Map(products.map(({ id, ...product }) => [id, product]))
  const lines = [...quantities].flatMap(([product_id, quantity]): CartLine[] => {
    const product = byId.get(product_id)
    return product ? [{ product_id, quantity, ...product }] : []
  })
  return { lines, gone: [...quantities.keys()].filter((id) => !byId.has(id)) }
}

const idsOf = (lines: SoldLine[]) => lines.map(({ product_id }) => product_id)

/** Whether each line has its current price. */
export async function arePricesOfToday(db: Database, lines: SoldLine[]): Promise<boolean> {
  const products = await selectStock(db, idsOf(lines))
  const prices = new Map(products.map(({ id, price_minor }) => [id, price_minor]))
  return lines.every(({ product_id, price_minor }) => prices.get(product_id) === price_minor)
}

function shortage({ name }: SoldLine, left: number | undefined) {
  if (left === undefined) return outOfStock(`${name} is no longer sold: 0 left.`)
  if (left === 0) return outOfStock(`${name} is sold out: 0 left.`)
  return outOfStock(`Not enough of ${name} in stock: only ${left} left.`)
}

/**
 * Throws `out_of_stock` for the first line that is neither in stock nor among the pieces that are `reserved`
 * for it. Reserves nothing.
 */
export async function requireStock(
  db: Database,
  lines: SoldLine[],
  reserved: ProductQuantity[],
): Promise<void> {
  const left = new Map(
    (await selectStock(db, idsOf(lines))).map(({ id, quantity }) => [id, quantity]),
  )
  for (const { product_id, quantity } of reserved) {
    const free = left.get(product_id)
    if (free !== undefined) left.set(product_id, free + quantity)
  }
  const short = lines.find(({ product_id, quantity }) => (left.get(product_id) ?? 0) < quantity)
  if (short) throw shortage(short, left.get(short.product_id))
}

type ProductQuantity = Pick<SoldLine, 'product_id' | 'quantity'>

/** The net change of each product's stock. */
function netChanges(taken: SoldLine[], returned: ProductQuantity[]): StockChange[] {
  const quantities = new Map<string, number>()
  const add = (id: string, more: number) => quantities.set(id, (quantities.get(id) ?? 0) + more)
  for (const { product_id, quantity } of taken) add(product_id, quantity)
  for (const { product_id, quantity } of returned) add(product_id, -quantity)
  return [...quantities]
    .map(([id, quantity]) => ({ id, quantity }))
    .filter(({ quantity }) => quantity !== 0)
}

/**
 * Takes lines out of the stock and returns others, as one change per product. Throws `out_of_stock`
 * with the product and the quantity left; the changes of other products are undone with the
 * caller's transaction or savepoint.
 */
export async function exchangeStock(
  tx: Database,
  { taken, returned }: { taken: SoldLine[]; returned: ProductQuantity[] },
): Promise<void> {
  const changes = netChanges(taken, returned)
  if (changes.length === 0) return
  const left = new Map((await changeStock(tx, changes)).map(({ id, quantity }) => [id, quantity]))
  const short = changes.find(({ id, quantity }) => quantity > 0 && !left.has(id))
  const line = taken.find(({ product_id }) => product_id === short?.id)
  if (line) {
    const [found] = await selectStock(tx, [line.product_id])
    const back = returned.find(({ product_id }) => product_id === line.product_id)?.quantity ?? 0
    throw shortage(line, found && found.quantity + back)
  }
  await publishSales(
    tx,
    changes.flatMap(({ id, quantity }): Sale[] => {
      const after = left.get(id)
      return after === undefined ? [] : [{ id, before: after + quantity, after }]
    }),
  )
}

/** Takes the lines out of the stock. Throws as `exchangeStock` does. */
export const takeStock = (tx: Database, taken: SoldLine[]) =>
  exchangeStock(tx, { taken, returned: [] })

/** Returns the lines to the stock. */
export const returnStock = (tx: Database, returned: ProductQuantity[]) =>
  exchangeStock(tx, { taken: [], returned })
