import { sql } from 'kysely'
import type { Invariant } from '#app/shared/server/domain-module.ts'

export const PRODUCT_INVARIANTS: Invariant[] = [
  {
    name: 'product_stock',
    violation: 'a product of which more pieces are sold than there are',
    query: sql`select id from products where quantity < 0`,
  },
  {
    name: 'product_slug',
    violation: 'a product whose address is that of another product, or of none',
    query: sql`
      select id from products left join product_slugs using (slug)
      where product_id is distinct from id`,
  },
]
