import { firstCharacters } from '#app/shared/server/first-characters.ts'
import { toMajor } from '#app/shared/server/money.ts'
import type { Row } from '#db/schema.ts'
import { MOST_DESCRIBED, type Order } from '../contract.ts'

type Sold = Order['products'][number]
type Line = Row<'order_lines'>

/** How many characters each text of an entry has at most. */
type Cut = Record<'name' | 'slug' | 'description', number>

/** The products of all orders in one answer; the rest of 2 MB is for the orders themselves. */
const MOST_BYTES = 1_500_000

/**
 * Tried in turn, until the answer is small enough. A page of fifty orders may have 10,000 pieces,
 * which are an entry each.
 */
const CUTS: Cut[] = [
  { name: 200, slug: 400, description: MOST_DESCRIBED },
  { name: 200, slug: 400, description: 40 },
  { name: 200, slug: 400, description: 0 },
  { name: 40, slug: 400, description: 0 },
]

/** Some 50 bytes are left for each of 10,000 pieces; a slug that is cut leads nowhere. */
const SHORTEST: Cut = { name: 7, slug: 0, description: 0 }

const entryOf = (line: Line, cut: Cut): Sold => ({
  _id: line.product_id,
  name: firstCharacters(line.name, cut.name),
  slug: firstCharacters(line.slug, cut.slug),
  description: firstCharacters(line.description, cut.description),
  price: toMajor(line.price_minor),
})

/** The lines as entries, each of which stands in the answer once a piece; null if that is too much. */
function entriesOf(lines: Line[], cut: Cut): Sold[] | null {
  const entries: Sold[] = []
  let left = MOST_BYTES
  for (const line of lines) {
    const entry = entryOf(line, cut)
    left -= line.quantity * (Buffer.byteLength(JSON.stringify(entry)) + 1)
    if (left < 0) return null
    entries.push(entry)
  }
  return entries
}

/** The lines as entries, their texts cut so far that all pieces fit. */
function fittingEntries(lines: Line[]): Sold[] {
  for (const cut of CUTS) {
    const entries = entriesOf(lines, cut)
    if (entries) return entries
  }
  return lines.map((line) => entryOf(line, SHORTEST))
}

/**
 * What was sold by the id of its order, one entry a piece, as the specification's clients count
 * them. However many and large, in JSON they are not more than MOST_BYTES.
 */
export function soldProducts(lines: Line[]): Map<string, Sold[]> {
  const entries = fittingEntries(lines)
  const byOrder = new Map<string, Sold[]>()
  for (const [at, { order_id, quantity }] of lines.entries()) {
    const [entry, products] = [entries[at], byOrder.get(order_id) ?? []]
    if (entry) for (let piece = 0; piece < quantity; piece++) products.push(entry)
    byOrder.set(order_id, products)
  }
  return byOrder
}
