/** Products of which a variant is sold out or runs low. No index has the quantity: a sale would have to change it. */
import { sql } from 'kysely'

/** The ids of products of which a variant is sold out. */
export const SOLD_OUT = sql`(select product_id as id from variants where quantity = 0)`

/** The ids of products of which a variant has few pieces left. */
export const runningLow = (lowStock: number) =>
  sql`(select product_id as id from variants where quantity between 1 and ${lowStock}::integer)`
