/**
 * SQL that takes stock as a part of another statement, so that a reservation is one round trip. The same taking as a
 * statement of its own, which also returns stock: `stock-store.ts`.
 */
import { type RawBuilder, sql } from 'kysely'
import { AVAILABILITY_TAG, productTag } from '../contract.ts'
import { LIST_STALE_MS, QUANTITY_STALE_MS } from './publish.ts'
import type { SoldLine } from './service.ts'

/** A line of a quote; `is_default`: its stock is that of the row of its product, unless that has changed since. */
type QuotedLine = SoldLine & { variant_id: string; is_default: boolean }

/** The pieces to take of each variant: a cart may have it by its own id and by the product's. */
function takenOf(lines: QuotedLine[]): QuotedLine[] {
  const byId = new Map<string, QuotedLine>()
  for (const line of lines) {
    const { quantity } = byId.get(line.variant_id) ?? { quantity: 0 }
    byId.set(line.variant_id, { ...line, quantity: quantity + line.quantity })
  }
  return [...byId.values()]
}

/** Whether `takeStockInStatement` took all of these lines. */
export const isStockTaken = (lines: QuotedLine[]): RawBuilder<boolean> =>
  sql`(select count(*) from taken) = ${takenOf(lines).length}::integer`

/**
 * The tables that have the stock, in the order in which they are locked: products that of their default variants. Each
 * with the column of its product, the id of a line there, and what makes a row the one that was quoted.
 */
const TABLES = {
  products: ['products.id', 'product_id', 'products.default_variant_id = line.variant_id'],
  variants: ['variants.product_id', 'variant_id', 'not is_default'],
} as const
type Table = keyof typeof TABLES

/** The parts of the statement that have no parameters, as text: it is made for each purchase. */
const textsOf = (table: Table) => {
  const [product, id, isQuoted] = TABLES[table]
  return {
    table,
    lock: sql.raw(`locked_${table} as (select ${table}.id, line.quantity from`),
    found: sql.raw(`join ${table} on ${table}.id = line.${id}
      where ${table}.quantity >= line.quantity and ${table}.price_minor = line.price_minor
        and ${isQuoted} and`),
    inOrder: sql.raw(`order by ${table}.id for no key update of ${table})`),
    lockedCount: sql.raw(`(select count(*) from locked_${table})`),
    take: sql.raw(`taken_${table} as (
      update ${table} set quantity = ${table}.quantity - locked_${table}.quantity
      from locked_${table} where ${table}.id = locked_${table}.id and`),
    returned: sql.raw(`returning ${product} as id, ${table}.quantity)`),
    taken: sql.raw(`select * from taken_${table}`),
  }
}
const TEXTS = [textsOf('products'), textsOf('variants')]

/**
 * A table of the lines. The planner does not see the lengths of its arrays, so that one plan serves every
 * cart: otherwise PostgreSQL plans the prepared statement anew each time.
 */
const tableOf = (taken: QuotedLine[]) => sql`unnest(
    (select ${taken.map(({ product_id }) => product_id)}::uuid[]),
    (select ${taken.map(({ variant_id }) => variant_id)}::uuid[]),
    (select ${taken.map(({ quantity }) => quantity)}::integer[]),
    (select ${taken.map(({ price_minor }) => price_minor)}::integer[])
  ) as line (product_id, variant_id, quantity, price_minor)`

const PUBLISHED_TAGS = sql.raw(`published as (
    insert into change_feed (tag, stale_ms)
    select distinct '${productTag('')}' || id, ${QUANTITY_STALE_MS} from taken
    union all
    select '${AVAILABILITY_TAG}', ${LIST_STALE_MS} where exists (select from taken where quantity = 0)
  )`)

/**
 * Common table expressions that take the pieces of all lines from the stock, at these prices, or none
 * of them: `taken` has a row of each variant that was taken. None is taken unless the condition is true, nor when a
 * default variant has changed since the quote. Carts without other variants read and lock the products alone.
 * Rows are locked in the order of their ids, those of products first, so that concurrent sales never deadlock.
 */
export function takeStockInStatement(
  lines: QuotedLine[],
  condition: RawBuilder<boolean>,
): RawBuilder<unknown> {
  const taken = takenOf(lines)
  const halves = TEXTS.map((texts) => ({
    ...texts,
    lines: taken.filter(({ is_default }) => is_default === (texts.table === 'products')),
  })).filter(({ lines }) => lines.length > 0)
  const counts = halves.map(({ lockedCount }) => lockedCount)
  const isComplete = sql`${sql.join(counts, sql.raw(' + '))} = ${taken.length}::integer`
  // variants after products
  const isNext = [condition, sql`${condition} and ${counts[0]} >= 0`]
  return sql`${sql.join([
    ...halves.map(
      ({ lock, lines, found, inOrder }, at) =>
        sql`${lock} ${tableOf(lines)} ${found} ${isNext[at]} ${inOrder}`,
    ),
    ...halves.map(({ take, returned }) => sql`${take} ${isComplete} ${returned}`),
  ])},
  taken as (${sql.join(
    halves.map(({ taken }) => taken),
    sql.raw(' union all '),
  )}),
  ${PUBLISHED_TAGS}`
}
