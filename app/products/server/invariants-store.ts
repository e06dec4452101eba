import { sql } from 'kysely'
import type { Invariant } from '#app/shared/server/domain-module.ts'

/** A check has that no more is sold than there is. */
export const PRODUCT_INVARIANTS: Invariant[] = [
  {
    name: 'product_slug',
    violation: 'a product whose address is that of another product, or of none',
    query: sql`
      select id from products left join product_slugs using (slug)
      where product_id is distinct from id`,
  },
]
