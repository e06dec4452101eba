import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/** Queries for contradictions that must not exist in a shop. */
const NEVER: Record<string, RawBuilder<unknown>> = {
  'an order without lines, or whose lines and adjustments are another sum': sql`
    select id from orders where total_minor is distinct from
      (select sum(quantity * price_minor) from order_lines where order_id = orders.id)
      + (select coalesce(sum(amount_minor), 0) from order_adjustments
        where order_id = orders.id and not is_included)`,
  'an order of another amount than its payment': sql`
    select orders.id from orders join payments on payments.id = payment_id
    where total_minor <> amount_minor`,
  'an order whose payment was not captured': sql`
    select orders.id from orders join payments on payments.id = payment_id
    where state not in ('captured', 'refund_pending', 'refunded') or refusal is not null`,
  'an order that is a test where its payment is none, or the other way round': sql`
    select orders.id from orders join payments on payments.id = payment_id
    where orders.test <> payments.test`,
  'a captured payment without an order': sql`
    select id from payments where state = 'captured' and not exists
      (select from orders where orders.payment_id = payments.id)`,
  'a coupon whose uses are not the recorded ones, or more than its limit': sql`
    select id from coupons where uses > max_uses
      or uses <> (select count(*) from coupon_uses where coupon_id = coupons.id)`,
  'a coupon used by a payment that neither holds its stock nor paid for an order': sql`
    select payment_id from coupon_uses join payments on payments.id = payment_id
    where not (state = 'created' and reserved_until is not null)
      and not exists (select from orders where orders.payment_id = payments.id)`,
  'an order with a discount whose coupon it does not use': sql`
    select order_id from order_adjustments join orders on orders.id = order_id
    where kind = 'discount' and not exists (select from coupon_uses
      join coupons on coupons.id = coupon_id
      where payment_id = orders.payment_id and coupons.code = source)`,
  'an address of a product that leads elsewhere': sql`
    select id from products left join product_slugs using (slug) where product_id is distinct from id`,
}

/** The contradictions in the shop with their rows; `{}` when there are none. */
export async function contradictionsIn(db: Database): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {}
  for (const [what, query] of Object.entries(NEVER)) {
    const { rows } = await query.execute(db)
    if (rows.length > 0) found[what] = rows
  }
  return found
}
