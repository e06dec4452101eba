/** Invariants of products, which hold between transactions. */
import { sql } from 'kysely'
import type { Invariant } from '#app/shared/server/domain-module.ts'
import { EXPLAINED_STOCK } from './variants/stock-explained.sql.ts'

/** Beside what constraints enforce, such as no quantity below 0. */
export const PRODUCT_INVARIANTS: Invariant[] = [
  {
    name: 'product_slug',
    violation: 'a product whose address is that of another product, or of none',
    query: sql`
      select id from products left join product_slugs using (slug)
      where product_id is distinct from id`,
  },
  {
    name: 'product_listing',
    violation: 'a product that is listed by another variant or price than those of its variants',
    // when a sale begins or ends, a job follows within seconds
    query: sql`
      select id from products left join listings on product_id = id
      where (products.listed_variant_id, products.list_price_minor, products.in_stock, products.has_options)
          is distinct from (listings.listed_variant_id, listings.list_price_minor, listings.in_stock,
            listings.has_options)
        and (products.list_price_until is null or products.list_price_until > now())`,
  },
  {
    name: 'product_stock_explained',
    violation:
      'a product whose stock is another than edits, sales and returns of its variants explain',
    // what comes back of a variant that was removed has no stock to come into
    query: sql`
      select id from (${EXPLAINED_STOCK}) as product
      where stock <> explained and not (had and stock < explained)`,
  },
]
