import { type RawBuilder, sql } from 'kysely'
import { modules } from '#app/modules.ts'
import type { Invariant } from '#app/shared/server/domain-module.ts'
import { selectViolations } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'

/** Rules that constraints enforce. Some planted bugs drop them, and have to be found by what they broke. */
const ENFORCED: Invariant[] = [
  {
    name: 'product_stock',
    violation: 'a variant of which more is sold than there is',
    query: sql`select id from variants where quantity < 0`,
  },
  {
    name: 'coupon_limit',
    violation: 'a coupon that is used more often than it may be',
    query: sql`select id from coupons where uses > max_uses`,
  },
  {
    name: 'order_twice',
    violation: 'a payment with several orders',
    query: sql`select payment_id as id from orders group by payment_id having count(*) > 1`,
  },
  {
    name: 'capture_twice',
    violation: 'money that is counted twice',
    query: sql`
      select provider_payment_id as id from captures
      group by provider_payment_id having count(*) > 1`,
  },
  {
    name: 'refund_twice',
    violation: 'money with several refunds in progress',
    query: sql`
      select capture_id as id from refunds where state in ('pending', 'accepted', 'failed')
      group by capture_id having count(*) > 1`,
  },
  {
    name: 'reservation_twice',
    violation: 'a buyer with several reservations',
    query: sql`
      select user_id as id from payments where state = 'open' and reserved_until is not null
      group by user_id having count(*) > 1`,
  },
]

/** Every invariant of the domains, and what constraints enforce. */
export const INVARIANTS = [...modules.flatMap((module) => module.invariants ?? []), ...ENFORCED]

/** The ids of the rows that break an invariant, by its name; `{}` when all invariants hold. */
export async function contradictionsIn(db: Database): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const invariant of INVARIANTS) {
    const ids = await selectViolations(db, invariant)
    if (ids.length > 0) found[invariant.name] = ids
  }
  return found
}

/** The stock of a product: free, reserved by payments, and sold without being returned. */
export type ProductStock = { id: string; free: number; reserved: number; sold: number }

export const STOCK: RawBuilder<ProductStock> = sql`
  select products.id::text as id,
    (select sum(quantity)::integer from variants where variants.product_id = products.id) as free,
    (select coalesce(sum((line ->> 'quantity')::integer), 0)::integer
      from payments, jsonb_array_elements(quote -> 'lines') as line
      where state = 'open' and reserved_until is not null
        and line ->> 'product_id' = products.id::text) as reserved,
    (select coalesce(sum(line.quantity - returned_of(order_id, position, quantity)), 0)::integer
      from order_lines line where line.product_id = products.id) as sold
  from products`

/** The stock of every product. */
export const selectStock = async (db: Database): Promise<ProductStock[]> =>
  (await STOCK.execute(db)).rows
