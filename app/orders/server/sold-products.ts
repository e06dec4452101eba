import { toMajor } from '#app/shared/model/minor-units.ts'
import { firstCharacters } from '#app/shared/server/first-characters.ts'
import type { Row } from '#db/schema.ts'
import { MAX_DESCRIPTION, type Order } from '../contract.ts'

type SoldEntry = Order['products'][number]
/** A line with the currency of its order. */
type Line = Row<'order_lines'> & { currency: string }

/** The bytes for the products of all orders in one answer; the rest of 2 MB is for the orders. */
const MAX_BYTES = 1_500_000

/** Short enough for 10,000 entries, the most on a page of fifty orders: one entry a piece. */
const SHORT_NAME = 7

/** The id of what was sold as it was in the cart, its variant where it has options, and its SKU. */
export const presentVariant = (
  line: Pick<Line, 'product_id' | 'variant_id' | 'cart_id' | 'sku' | 'options'>,
) => ({
  _id: line.cart_id ?? line.product_id,
  ...(line.options &&
    line.variant_id && {
      product: line.product_id,
      variant: line.variant_id,
      options: line.options,
    }),
  ...(line.sku && { sku: line.sku }),
})

const entryOf = (line: Line): SoldEntry => ({
  ...presentVariant(line),
  name: line.name,
  slug: line.slug,
  description: firstCharacters(line.description, MAX_DESCRIPTION),
  price: toMajor(line.price_minor, line.currency),
})

/** The bytes of an entry in a JSON list. */
const bytesOf = (entry: SoldEntry) => Buffer.byteLength(JSON.stringify(entry)) + 1

function fits(entries: SoldEntry[], lines: Line[]): boolean {
  let left = MAX_BYTES
  return entries.every((entry, at) => {
    left -= bytesOf(entry) * (lines[at]?.quantity ?? 0)
    return left >= 0
  })
}

/** An entry without its description; if it is still too large, with a short name, and neither slug nor variant. */
function shortened(entry: SoldEntry, maxBytes: number): SoldEntry {
  const short = { ...entry, description: '' }
  // a character has a byte at least: most entries need not be serialised
  if (short.name.length + short.slug.length <= maxBytes && bytesOf(short) <= maxBytes) return short
  const { _id, description, price } = short
  return { _id, name: firstCharacters(short.name, SHORT_NAME), slug: '', description, price }
}

/** One entry per line, all shortened when they would exceed the limit. */
function fittingEntries(lines: Line[]): SoldEntry[] {
  const entries = lines.map(entryOf)
  if (fits(entries, lines)) return entries
  const total = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  return entries.map((entry) => shortened(entry, MAX_BYTES / total))
}

/**
 * The sold products by order id, one entry a piece as the specification has it. In JSON they have
 * at most MAX_BYTES bytes in total.
 */
export function soldProducts(lines: Line[]): Map<string, SoldEntry[]> {
  const entries = fittingEntries(lines)
  const byOrder = new Map<string, SoldEntry[]>()
  for (const [at, { order_id, quantity }] of lines.entries()) {
    const entry = entries[at]
    const products = byOrder.get(order_id) ?? []
    if (entry) for (let at = 0; at < quantity; at++) products.push(entry)
    byOrder.set(order_id, products)
  }
  return byOrder
}
