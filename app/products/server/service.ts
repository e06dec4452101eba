/** Prices of carts, and changes of stock. */
import { outOfStock } from '#app/shared/server/failure.ts'
import type { Database, Line } from '#db/schema.ts'
import { nameOfVariant } from '../variant-model.ts'
import type { ProductAsSold } from './products-as-sold.sql.ts'
import { publishSales } from './publish.ts'
import { changeStock, type StockChange, selectRemovedName, selectStock } from './stock-store.ts'

/** A variant of a cart with its quantity and its current price in minor units; its name has its values. */
export type CartLine = ProductAsSold & { quantity: number }

/** What the stock has to know of a line. Lines of before 0.6.0 have no variant: their product's default is meant. */
type StockLine = Pick<Line, 'product_id' | 'quantity'> & { variant_id?: string | null }

/** The fields of a line that a payment or an order stores. */
export type SoldLine = StockLine & Pick<Line, 'name' | 'price_minor'>

/** The id by which the stock of a line is found. */
export const variantOf = ({ variant_id, product_id }: StockLine): string => variant_id ?? product_id

/** The quantity of each id in a cart, in the order of the cart. `ids` has one entry a piece. */
export function quantitiesIn(ids: string[]): Map<string, number> {
  const quantities = new Map<string, number>()
  for (const id of ids.map((id) => id.toLowerCase()))
    quantities.set(id, (quantities.get(id) ?? 0) + 1)
  return quantities
}

/** The lines of a cart at the prices of `products`, and the ids of products that are no longer sold. */
export function cartLines(quantities: Map<string, number>, products: ProductAsSold[]) {
  const byId = new Map(products.map((product) => [product.cart_id, product]))
  const lines = [...quantities].flatMap(([id, quantity]): CartLine[] => {
    const product = byId.get(id)
    return product ? [{ ...product, name: nameOfVariant(product), quantity }] : []
  })
  return { lines, gone: [...quantities.keys()].filter((id) => !byId.has(id)) }
}

const idsOf = (lines: StockLine[]) => lines.map(variantOf)

/** Whether each line has its current price. */
export async function arePricesOfToday(db: Database, lines: SoldLine[]): Promise<boolean> {
  const products = await selectStock(db, idsOf(lines))
  const prices = new Map(products.map(({ id, price_minor }) => [id, price_minor]))
  return lines.every((line) => prices.get(variantOf(line)) === line.price_minor)
}

function shortage({ name }: Pick<SoldLine, 'name'>, left: number | undefined) {
  if (left === undefined) return outOfStock(`${name} is no longer sold: 0 left.`)
  if (left === 0) return outOfStock(`${name} is sold out: 0 left.`)
  return outOfStock(`Not enough of ${name} in stock: only ${left} left.`)
}

/** Throws `out_of_stock`, with its name, when one of these ids is of a variant that was removed from its product. */
export async function requireNotRemoved(db: Database, ids: string[]): Promise<void> {
  const name = await selectRemovedName(db, ids)
  if (name) throw shortage({ name }, undefined)
}

/**
 * Throws `out_of_stock` for the first line that is neither in stock nor among the pieces that are `reserved`
 * for it. Reserves nothing.
 */
export async function requireStock(
  db: Database,
  lines: SoldLine[],
  reserved: StockLine[],
): Promise<void> {
  const left = new Map(
    (await selectStock(db, idsOf(lines))).map(({ id, quantity }) => [id, quantity]),
  )
  for (const line of reserved) {
    const free = left.get(variantOf(line))
    if (free !== undefined) left.set(variantOf(line), free + line.quantity)
  }
  for (const line of lines) {
    const free = left.get(variantOf(line))
    if (free === undefined || free < line.quantity) throw shortage(line, free)
    // another line may have the same variant, by the id of its product
    left.set(variantOf(line), free - line.quantity)
  }
}

/** The net change of each variant's stock. */
function netChanges(taken: SoldLine[], returned: StockLine[]): StockChange[] {
  const quantities = new Map<string, number>()
  const add = (id: string, more: number) => quantities.set(id, (quantities.get(id) ?? 0) + more)
  for (const line of taken) add(variantOf(line), line.quantity)
  for (const line of returned) add(variantOf(line), -line.quantity)
  return [...quantities]
    .map(([id, quantity]) => ({ id, quantity }))
    .filter(({ quantity }) => quantity !== 0)
}

/**
 * Takes lines out of the stock and returns others, as one change per variant. Throws `out_of_stock`
 * with the variant and the quantity left; the changes of others are undone with the
 * caller's transaction or savepoint.
 */
export async function exchangeStock(
  tx: Database,
  { taken, returned }: { taken: SoldLine[]; returned: StockLine[] },
): Promise<void> {
  const changes = netChanges(taken, returned)
  if (changes.length === 0) return
  const changed = await changeStock(tx, changes)
  const found = new Set(changed.map(({ id }) => id))
  const short = changes.find(({ id, quantity }) => quantity > 0 && !found.has(id))
  const line = taken.find((line) => variantOf(line) === short?.id)
  if (line) {
    const [left] = await selectStock(tx, [variantOf(line)])
    const back = returned.find((other) => variantOf(other) === variantOf(line))?.quantity ?? 0
    throw shortage(line, left && left.quantity + back)
  }
  await publishSales(tx, changed)
}

/** Takes the lines out of the stock. Throws as `exchangeStock` does. */
export const takeStock = (tx: Database, taken: SoldLine[]) =>
  exchangeStock(tx, { taken, returned: [] })

/** Returns the lines to the stock. */
export const returnStock = (tx: Database, returned: StockLine[]) =>
  exchangeStock(tx, { taken: [], returned })
