/** Products of which a variant is sold out or runs low. No index has the quantity: a sale would have to change it. */
import { type RawBuilder, sql } from 'kysely'
import type { StockLevel } from '#app/products/catalogue-contract.ts'
import { DEFAULTS } from '#app/settings/server/defaults.ts'

/** The quantity up to which a variant runs low, as the merchant has set it; read once a statement. */
const LOW_STOCK = sql<number>`coalesce(
  (select (value ->> 'lowStock')::integer from settings where name = 'shop'), ${sql.lit(DEFAULTS.lowStock)})`

/** Whether few pieces of a quantity are left. */
export const isLow = (quantity: RawBuilder<number>) =>
  sql<boolean>`${quantity} between 1 and ${LOW_STOCK}`

/** The level of a quantity. */
export const levelOf = (quantity: RawBuilder<number>) => sql<StockLevel>`case
  when ${quantity} = 0 then 'out' when ${isLow(quantity)} then 'low' else 'in' end`

/** The ids of products of which a variant is sold out. */
export const SOLD_OUT = sql`(select product_id as id from variants where quantity = 0)`

/** The ids of products of which a variant has few pieces left. */
export const RUNNING_LOW = sql`(select product_id as id from variants where ${isLow(sql`quantity`)})`
