/** Products of which a variant is sold out or runs low. No index has the quantity: a sale would have to change it. */
import { sql } from 'kysely'

/** The ids of products of which a variant is sold out. */
export const SOLD_OUT = sql`(
  select id from products where not in_stock
  union all select product_id from variant_facets where not in_stock)`

/** The ids of products of which a variant beside the default has few pieces left. */
const variantsRunningLow = (lowStock: number) => sql`
  select product_id from variants where not is_default and quantity between 1 and ${lowStock}::integer`

/** The ids of products of which a variant has few pieces left. */
export const runningLow = (lowStock: number) => sql`(
  select id from products where in_stock and quantity <= ${lowStock}::integer
  union all ${variantsRunningLow(lowStock)})`

/** The same as a condition on rows of `products`, which are read once. */
export const isRunningLow = (lowStock: number) => sql<boolean>`(
  in_stock and quantity <= ${lowStock}::integer or id in (${variantsRunningLow(lowStock)}))`
