/** The stock of products beside what explains it. */
import { type RawBuilder, sql } from 'kysely'

/** The units that an entry of the audit log has added; an entry of another edit has added none. */
const ADDED = sql`
  coalesce((after ->> 'quantity')::integer, 0) - coalesce((before ->> 'quantity')::integer, 0)`

/** The product of a removed variant, once, also if the variant was added and removed again. */
const REMOVED = sql`
  select distinct row_id as variant_id, (before ->> 'product_id')::uuid as product_id
  from audit_log where table_name = 'variants' and action = 'delete'`

/** `had` is whether the product had variants that are removed. */
export type ExplainedStock = { id: string; stock: number; explained: number; had: boolean }

/**
 * The stock of each product with all its variants, and what entries of the audit log, sold, returned and reserved units
 * make of it. By product, because entries of before 0.8.0 have the stock of one of its variants as the product's.
 */
export const EXPLAINED_STOCK: RawBuilder<ExplainedStock> = sql`
  select id, stock, coalesce(recorded, 0)::integer as explained,
    exists (select from (${REMOVED}) as removed where product_id = products.id) as had
  from products
  join (
    select product_id, sum(quantity)::integer as stock from variants group by product_id
  ) as stocked on stocked.product_id = id
  left join (
    select product_id, sum(units) as recorded from (
      select row_id as product_id, ${ADDED} as units from audit_log where table_name = 'products'
      union all
      select coalesce(variants.product_id, removed.product_id), ${ADDED}
      from audit_log
        left join variants on variants.id = row_id
        left join (${REMOVED}) as removed on removed.variant_id = row_id
      where table_name = 'variants'
      union all
      select product_id, returned_of(order_id, position, quantity) - quantity from order_lines
      union all
      select product_id, -quantity
      from payments
        cross join jsonb_to_recordset(quote -> 'lines') as line (product_id uuid, quantity integer)
      where state = 'open' and reserved_until is not null
    ) as entries group by product_id
  ) as sums on sums.product_id = id`
