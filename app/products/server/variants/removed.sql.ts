/** What the audit log has of variants that were removed. */
import { type RawBuilder, sql } from 'kysely'

/** The row of a removed variant as it was in the end; nothing of another one. */
const lastRow = (id: RawBuilder<unknown>) => sql`
  select before from audit_log as removal
  where removal.row_id = ${id} and removal.table_name = 'variants' and removal.action = 'delete'
  order by removal.id desc limit 1`

/** The product of a removed variant. */
export const productOfRemoved = (id: RawBuilder<unknown>) => sql<string | null>`
  (select (before ->> 'product_id')::uuid from (${lastRow(id)}) as removed)`

/** The values of a removed variant, as far as these exist. */
export const valuesOfRemoved = (id: RawBuilder<unknown>) => sql<string | null>`(
  select string_agg(option_values.name, ' / ' order by slot)
  from (${lastRow(id)}) as removed
  join option_values on option_values.product_id = (removed.before ->> 'product_id')::uuid
    and option_values.id::text in
      (removed.before ->> 'value1', removed.before ->> 'value2', removed.before ->> 'value3'))`
