import { sql } from 'kysely'

/** The ids of products with a variant of which this is the SKU, in any case, or the barcode. */
export const productsWithCode = (text: string) => sql`(
  select product_id from variants where folded(sku) = folded(${text}) and sku is not null
  union select product_id from variants where barcode = ${text}::text)`
