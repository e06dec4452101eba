/**
 * SQL that takes stock as a part of another statement, so that a reservation is one round trip. The same taking as a
 * statement of its own, which also returns stock: `stock-store.ts`.
 */
import { type RawBuilder, sql } from 'kysely'
import { AVAILABILITY_TAG, productTag } from '../contract.ts'
import { LIST_STALE_MS, QUANTITY_STALE_MS } from './publish.ts'
import { type SoldLine, variantOf } from './service.ts'

type Taken = { id: string; quantity: number; price_minor: number }

/** The pieces to take of each variant: a cart may have it by its own id and by the product's. */
function takenOf(lines: SoldLine[]): Taken[] {
  const byId = new Map<string, Taken>()
  for (const line of lines) {
    const id = variantOf(line)
    const { quantity } = byId.get(id) ?? { quantity: 0 }
    byId.set(id, { id, quantity: quantity + line.quantity, price_minor: line.price_minor })
  }
  return [...byId.values()]
}

/**
 * A value of all variants, as an array. The planner does not see its length, so that one plan serves every
 * cart: otherwise PostgreSQL plans the prepared statement anew each time.
 */
const columnOf = <Value>(taken: Taken[], type: 'uuid' | 'integer', pick: (one: Taken) => Value) =>
  sql`(select ${taken.map(pick)}::${sql.raw(type)}[])`

/** Whether `takeStockInStatement` took all of these lines. */
export const isStockTaken = (lines: SoldLine[]): RawBuilder<boolean> =>
  sql`(select count(*) from taken) = ${takenOf(lines).length}::integer`

/** Common table expressions that lock what is wanted and there at its price: products first, each by their ids. */
const lockedInStatement = (taken: Taken[], condition: RawBuilder<boolean>) => sql`
  wanted as (
    select * from unnest(
      ${columnOf(taken, 'uuid', ({ id }) => id)},
      ${columnOf(taken, 'integer', ({ quantity }) => quantity)},
      ${columnOf(taken, 'integer', ({ price_minor }) => price_minor)}
    ) as line (id, quantity, price_minor)
  ),
  locked_products as (
    select products.id, wanted.quantity
    from wanted
    join variants on variants.id = wanted.id
    join products on products.id = variants.product_id and products.default_variant_id = wanted.id
    where products.quantity >= wanted.quantity and products.price_minor = wanted.price_minor
      and ${condition}
    order by products.id
    for no key update of products
  ),
  locked_variants as (
    select variants.id, wanted.quantity
    from wanted join variants on variants.id = wanted.id
    where variants.quantity >= wanted.quantity and variants.price_minor = wanted.price_minor
      and ${condition} and (select count(*) from locked_products) >= 0
    order by variants.id
    for no key update of variants
  )`

/** A common table expression that takes the pieces of what was locked, if all was. */
const takenFrom = (
  table: 'products' | 'variants',
  product: string,
  isComplete: RawBuilder<boolean>,
) => {
  const locked = sql.ref(`locked_${table}`)
  return sql`${sql.ref(`taken_${table}`)} as (
    update ${sql.table(table)}
    set quantity = ${sql.ref(`${table}.quantity`)} - ${locked}.quantity
    from ${locked}
    where ${sql.ref(`${table}.id`)} = ${locked}.id and ${isComplete}
    returning ${sql.ref(`${table}.${product}`)} as id, ${sql.ref(`${table}.quantity`)}
  )`
}

/**
 * Common table expressions that take the pieces of all lines from the stock, at these prices, or none
 * of them: `taken` has a row of each variant that was taken. None is taken unless the condition is true.
 * Rows are locked in the order of their ids, those of products first, so that concurrent sales never deadlock.
 */
export function takeStockInStatement(
  lines: SoldLine[],
  condition: RawBuilder<boolean>,
): RawBuilder<unknown> {
  const taken = takenOf(lines)
  const isComplete = sql<boolean>`(select count(*) from locked_products) + (select count(*) from locked_variants)
    = ${taken.length}::integer`
  return sql`${lockedInStatement(taken, condition)},
  ${takenFrom('products', 'id', isComplete)},
  ${takenFrom('variants', 'product_id', isComplete)},
  taken as (select * from taken_products union all select * from taken_variants),
  published as (
    insert into change_feed (tag, stale_ms)
    select distinct ${productTag('')}::text || id, ${QUANTITY_STALE_MS}::integer from taken
    union all
    select ${AVAILABILITY_TAG}::text, ${LIST_STALE_MS}::integer
    where exists (select from taken where quantity = 0)
  )`
}
