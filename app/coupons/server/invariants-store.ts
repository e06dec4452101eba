/** The invariants of coupons: their uses are those of reservations and orders. */
import { sql } from 'kysely'
import type { Invariant } from '#app/shared/server/domain-module.ts'

export const COUPON_INVARIANTS: Invariant[] = [
  {
    name: 'coupon_limit',
    violation: 'a coupon that is used more often than it may be',
    query: sql`select id from coupons where uses > max_uses`,
  },
  {
    name: 'coupon_uses',
    violation: 'a coupon whose count of uses is not that of its recorded uses',
    query: sql`
      select id from coupons
      where uses <> (select count(*) from coupon_uses where coupon_id = coupons.id)`,
  },
  {
    name: 'coupon_held',
    violation: 'a payment that uses a coupon, and neither reserves its stock nor paid for an order',
    query: sql`
      select payment_id as id from coupon_uses join payments on payments.id = payment_id
      where not (state = 'created' and reserved_until is not null)
        and not exists (select from orders where orders.payment_id = payments.id)`,
  },
  {
    name: 'coupon_of_order',
    violation:
      'an order with a discount whose coupon it does not use, but for a test order that was undone',
    query: sql`
      select order_id as id from order_adjustments join orders on orders.id = order_id
      where kind = 'discount' and not (test and stock_returned_at is not null)
        and not exists (select from coupon_uses
        join coupons on coupons.id = coupon_id
        where payment_id = orders.payment_id and coupons.code = source)`,
  },
]
