/**
 * SQL that takes stock as a part of another statement, so that a reservation is one round trip. The same taking as a
 * statement of its own, which also returns stock: `stock-store.ts`.
 */
import { type RawBuilder, sql } from 'kysely'
import { AVAILABILITY_TAG, productTag } from '../contract.ts'
import { LIST_STALE_MS, QUANTITY_STALE_MS } from './publish.ts'
import type { SoldLine } from './service.ts'

/**
 * A value of all lines, as an array. The planner does not see its length, so that one plan serves every
 * cart: otherwise PostgreSQL plans the prepared statement anew each time.
 */
const columnOf = <Value>(
  lines: SoldLine[],
  type: 'uuid' | 'integer',
  pick: (line: SoldLine) => Value,
) => sql`(select ${lines.map(pick)}::${sql.raw(type)}[])`

/**
 * Common table expressions that take the pieces of all lines from the stock, at these prices, or none
 * of them: `taken` has a row of each product that was taken. None is taken unless the condition is true.
 * Rows are locked in the order of their ids, so that concurrent sales never deadlock.
 */
export const takeStockInStatement = (
  lines: SoldLine[],
  condition: RawBuilder<boolean>,
): RawBuilder<unknown> => sql`
  locked as (
    select products.id, line.quantity
    from unnest(
      ${columnOf(lines, 'uuid', (line) => line.product_id)},
      ${columnOf(lines, 'integer', (line) => line.quantity)},
      ${columnOf(lines, 'integer', (line) => line.price_minor)}
    ) as line (id, quantity, price_minor)
    join products on products.id = line.id
    where products.quantity >= line.quantity and products.price_minor = line.price_minor
      and ${condition}
    order by products.id
    for no key update of products
  ),
  taken as (
    update products
    set quantity = products.quantity - locked.quantity
    from locked
    where products.id = locked.id and (select count(*) from locked) = ${lines.length}::integer
    returning products.id, products.quantity
  ),
  published as (
    insert into change_feed (tag, stale_ms)
    select ${productTag('')}::text || id, ${QUANTITY_STALE_MS}::integer from taken
    union all
    select ${AVAILABILITY_TAG}::text, ${LIST_STALE_MS}::integer
    where exists (select from taken where quantity = 0)
  )`
