/**
 * SQL that takes stock as a part of another statement, so that a reservation is one round trip. The same taking as a
 * statement of its own, which also returns stock: `stock-store.ts`.
 */
import { type RawBuilder, sql } from 'kysely'
import { limitOf } from '#app/shared/server/store.ts'
import { AVAILABILITY_TAG, productTag } from '../contract.ts'
import { LIST_STALE_MS, QUANTITY_STALE_MS } from './publish.ts'
import type { SoldLine } from './service.ts'

/** A line of a quote. */
type QuotedLine = SoldLine & { variant_id: string }

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
 * A table of the lines. The planner does not see the lengths of its arrays, so that one plan serves carts of about the
 * same size: otherwise PostgreSQL plans the prepared statement anew each time.
 */
const tableOf = (taken: QuotedLine[]) => sql`lines as (
    select * from unnest(
      (select ${taken.map(({ product_id }) => product_id)}::uuid[]),
      (select ${taken.map(({ variant_id }) => variant_id)}::uuid[]),
      (select ${taken.map(({ quantity }) => quantity)}::integer[]),
      (select ${taken.map(({ price_minor }) => price_minor)}::integer[])
    ) as line (product_id, variant_id, quantity, price_minor)
    ${limitOf(taken.length)})`

/** The parts of the statement that have no parameters, as text: it is made for each purchase. */
const LOCK_PRODUCTS = sql.raw(`locked_products as (
    select products.id from products where id in (select product_id from lines) and`)
const IN_ORDER = sql.raw(`order by products.id for no key update)`)
const LOCK_VARIANTS = sql.raw(`locked as (
    select variants.id, lines.quantity
    from lines join variants on variants.id = variant_id and variants.product_id = lines.product_id
    where (select count(*) from locked_products) > 0
      and variants.quantity >= lines.quantity and price_of(variants) = lines.price_minor
    order by variants.id for no key update of variants)`)
const TAKE = sql.raw(`taken as (
    update variants set quantity = variants.quantity - locked.quantity
    from locked where variants.id = locked.id and (select count(*) from locked) =`)
const INVALIDATE = sql.raw(`returning product_id as id, variants.quantity),
  published as (
    insert into change_feed (tag, stale_ms)
    select distinct '${productTag('')}' || id, ${QUANTITY_STALE_MS} from taken
    union all
    select '${AVAILABILITY_TAG}', ${LIST_STALE_MS} where exists (select from taken where quantity = 0)
  )`)

/**
 * Common table expressions that take the pieces of all lines from the stock, at these prices, or none
 * of them: `taken` has a row of each variant that was taken. None is taken unless the condition is true.
 * Rows are locked in the order of their ids, products before their variants, so that concurrent sales never deadlock.
 */
export function takeStockInStatement(
  lines: QuotedLine[],
  condition: RawBuilder<boolean>,
): RawBuilder<unknown> {
  const taken = takenOf(lines)
  return sql`${tableOf(taken)},
  ${LOCK_PRODUCTS} ${condition} ${IN_ORDER},
  ${LOCK_VARIANTS},
  ${TAKE} ${taken.length}::integer ${INVALIDATE}`
}
