/** The history of a product's stock: edits of the audit log, and the orders that took and returned pieces. */
import { type RawBuilder, sql } from 'kysely'
import type { StockEntry } from '#app/products/catalogue-contract.ts'
import type { Slice } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { optionsOf } from '../variants/price.sql.ts'
import { valuesOfRemoved } from '../variants/removed.sql.ts'

type HistoryRow = Omit<StockEntry, 'at'> & { at: Date }

/** Of the variants of the product, also removed ones. Entries of before 0.8.0 have the stock of one of them as the product's. */
const edits = (id: string) => sql`
  from audit_log where row_id = any(array(
      select ${id}::uuid
      union all select id from variants where product_id = ${id}::uuid
      union all select row_id from audit_log as removal
        where action = 'delete' and table_name = 'variants' and before ->> 'product_id' = ${id}::uuid::text))
    and table_name in ('products', 'variants') and coalesce(after, before) ? 'quantity'`
/** The values of a variant. */
const valuesIn = (options: RawBuilder<unknown>) => sql<string | null>`(
  select string_agg(one ->> 'value', ' / ') from jsonb_array_elements(${options}) as one)`
/** The values of the variant of an edit. */
const EDITED = sql`case when table_name = 'variants' then (
  select coalesce(
    (select ${valuesIn(optionsOf())} from variants where variants.id = row_id),
    ${valuesOfRemoved(sql`audit_log.row_id`)})) end`
const sales = (id: string) => sql`
  from order_lines join orders on orders.id = order_id where product_id = ${id}::uuid`
/** How many of a line were returned: an order may have come back in part. */
const RETURNED = sql<number>`returned_of(order_lines.order_id, order_lines.position, order_lines.quantity)`
/** Orders of which something was returned are few. */
const returns = (id: string) => sql`${sales(id)} and ${RETURNED} > 0 and orders.id in (
  select id from orders where stock_returned_at is not null union select order_id from returned_lines)`
const RETURNED_AT = sql<Date>`coalesce((select returned_at from returned_lines
  where returned_lines.order_id = order_lines.order_id
    and returned_lines.position = order_lines.position), stock_returned_at)`

const ofOrder = (kind: 'sale' | 'return', at: RawBuilder<Date>, change: RawBuilder<number>) => sql`
  select ${kind}::text || order_lines.order_id || '-' || position as _id, ${at} as at,
    ${kind}::text as kind, ${valuesIn(sql`order_lines.options`)} as variant, ${change} as change, null::integer as quantity, null::text as reason,
    null::text as author, jsonb_build_object('_id', orders.id, 'number', orders.number) as "order"`

/**
 * A page of the history, newest first. Of each kind no more entries are read than the page needs: a product may
 * have been sold a hundred thousand times.
 */
export async function selectStockHistory(
  db: Database,
  id: string,
  { limit, offset }: Slice,
): Promise<HistoryRow[]> {
  const first = sql`limit ${offset + limit}`
  const { rows } = await sql<HistoryRow>`
    select * from (
      (select audit_log.id::text as _id, at,
        case action when 'insert' then 'created' when 'delete' then 'removed' else 'edit' end as kind,
        ${EDITED} as variant,
        coalesce((after ->> 'quantity')::integer, 0) - coalesce((before ->> 'quantity')::integer, 0) as change,
        (after ->> 'quantity')::integer as quantity, reason,
        (select name from users where users.id = actor_id) as author, null::jsonb as "order"
        ${edits(id)} order by audit_log.id desc ${first})
      union all
      (${ofOrder('sale', sql`orders.created_at`, sql`-order_lines.quantity`)}
        ${sales(id)} order by order_id desc ${first})
      union all
      (${ofOrder('return', RETURNED_AT, RETURNED)}
        ${returns(id)} order by ${RETURNED_AT} desc ${first})
    ) as entries
    order by at desc, _id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function countStockHistory(db: Database, id: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select ((select count(*) ${edits(id)})
      + (select count(*) from order_lines where product_id = ${id}::uuid)
      + (select count(*) ${returns(id)}))::integer as total`.execute(db)
  return rows[0]?.total ?? 0
}
