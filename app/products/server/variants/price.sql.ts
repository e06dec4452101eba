/** What a variant is sold for, in a statement that has it as this table. */
import { sql } from 'kysely'
import type { StoredOption } from '#db/schema.ts'

/** The price now, in minor units: that of a sale while it runs. */
export const priceOf = (table = 'variants') => sql<number>`price_of(${sql.table(table)})`

/** The price before a reduction, in minor units; null without one. */
export const priceBefore = (table = 'variants') =>
  sql<number | null>`price_before(${sql.table(table)})`

/** The options with the values of the variant, in their order; null without options. */
export const optionsOf = (table = 'variants') => sql<StoredOption[] | null>`(
  select jsonb_agg(jsonb_build_object('name', product_options.name, 'value', option_values.name)
    order by product_options.position, slot)
  from option_values join product_options using (product_id, slot)
  where option_values.id in
    (${sql.ref(`${table}.value1`)}, ${sql.ref(`${table}.value2`)}, ${sql.ref(`${table}.value3`)}))`
