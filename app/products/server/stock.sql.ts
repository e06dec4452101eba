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

/**
 * A value of all variants, as an array. The planner does not see its length, so that one plan serves every
 * cart: otherwise PostgreSQL plans the prepared statement anew each time.
 */
const columnOf = <Value>(
  taken: QuotedLine[],
  type: 'uuid' | 'integer',
  pick: (line: QuotedLine) => Value,
) => sql`(select ${taken.map(pick)}::${sql.raw(type)}[])`

/** Whether `takeStockInStatement` took all of these lines. */
export const isStockTaken = (lines: QuotedLine[]): RawBuilder<boolean> =>
  sql`(select count(*) from taken) = ${takenOf(lines).length}::integer`

/** The tables that have the stock: products that of their default variants. In the order in which they are locked. */
const TABLES = ['products', 'variants'] as const
type Table = (typeof TABLES)[number]

const lockedOf = (table: Table) => sql.ref(`locked_${table}`)

/** A common table expression that locks what is there at its price, by the ids. */
const lock = (table: Table, taken: QuotedLine[], condition: RawBuilder<boolean>) => {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  const id = table === 'products' ? sql`line.product_id` : sql`line.variant_id`
  const isDefault = sql<boolean>`products.default_variant_id = line.variant_id`
  return sql`${lockedOf(table)} as (
    select ${column('id')}, line.quantity
    from unnest(
      ${columnOf(taken, 'uuid', ({ product_id }) => product_id)},
      ${columnOf(taken, 'uuid', ({ variant_id }) => variant_id)},
      ${columnOf(taken, 'integer', ({ quantity }) => quantity)},
      ${columnOf(taken, 'integer', ({ price_minor }) => price_minor)}
    ) as line (product_id, variant_id, quantity, price_minor)
    join ${sql.table(table)} on ${column('id')} = ${id}
    where ${column('quantity')} >= line.quantity and ${column('price_minor')} = line.price_minor
      and ${table === 'products' ? isDefault : sql`not is_default`} and ${condition}
    order by ${column('id')}
    for no key update of ${sql.table(table)}
  )`
}

/** A common table expression that takes the pieces of what was locked, if all was. */
const take = (table: Table, isComplete: RawBuilder<boolean>) => sql`
  ${sql.ref(`taken_${table}`)} as (
    update ${sql.table(table)}
    set quantity = ${sql.ref(`${table}.quantity`)} - ${lockedOf(table)}.quantity
    from ${lockedOf(table)}
    where ${sql.ref(`${table}.id`)} = ${lockedOf(table)}.id and ${isComplete}
    returning ${sql.ref(table === 'products' ? 'products.id' : 'variants.product_id')} as id,
      ${sql.ref(`${table}.quantity`)}
  )`

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
  const halves = TABLES.map((table) => ({
    table,
    taken: taken.filter(({ is_default }) => is_default === (table === 'products')),
  })).filter(({ taken }) => taken.length > 0)
  const lockedCount = (tables: typeof halves) =>
    sql.join(
      [sql`0`, ...tables.map(({ table }) => sql`(select count(*) from ${lockedOf(table)})`)],
      sql` + `,
    )
  const isComplete = sql<boolean>`${lockedCount(halves)} = ${taken.length}::integer`
  const locks = halves.map(({ table, taken }, at) =>
    // variants after products
    lock(table, taken, sql<boolean>`${condition} and ${lockedCount(halves.slice(0, at))} >= 0`),
  )
  return sql`${sql.join([...locks, ...halves.map(({ table }) => take(table, isComplete))])},
  taken as (${sql.join(
    halves.map(({ table }) => sql`select * from ${sql.ref(`taken_${table}`)}`),
    sql` union all `,
  )}),
  published as (
    insert into change_feed (tag, stale_ms)
    select distinct ${productTag('')}::text || id, ${QUANTITY_STALE_MS}::integer from taken
    union all
    select ${AVAILABILITY_TAG}::text, ${LIST_STALE_MS}::integer
    where exists (select from taken where quantity = 0)
  )`
}
