/** The parts of the list of orders, as conditions on rows of `orders`. */
import { type RawBuilder, sql } from 'kysely'
import { anyOf, countRows } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'
import type { OrderView } from '../admin-contract.ts'

/**
 * The payments with money that is refunded as a whole, or is about to be. Refunds are few: by the offset, the money of
 * each is read by its id.
 */
const WITH_REFUNDED_CAPTURE = sql`
  select captured.payment_id
  from (select capture_id, sum(amount_minor) as refunded_minor from refunds
      where state <> 'given_up' group by capture_id) as refunded
    cross join lateral (select payment_id, amount_minor from captures
      where id = capture_id and purpose = 'order' offset 0) as captured
  where refunded_minor >= captured.amount_minor`

/** Whether no money of an order is left that is not refunded as a whole. */
const IS_REFUNDED = sql`orders.payment_id in (${WITH_REFUNDED_CAPTURE}) and not exists (
  select from captures where payment_id = orders.payment_id and purpose = 'order' and amount_minor > (
    select coalesce(sum(refunds.amount_minor), 0) from refunds
    where capture_id = captures.id and refunds.state <> 'given_up'))`

export const ORDER_VIEWS: Record<OrderView, RawBuilder<boolean>> = {
  to_send: sql`(orders.status in ('Not Process', 'Processing') and orders.stock_returned_at is null
    and not exists (select from payments
      where id = orders.payment_id and state = 'owed' and provider <> 'pay_on_delivery')
    and not (${IS_REFUNDED}))`,
  unpaid: sql`orders.payment_id in (select id from payments where state = 'owed')`,
  // few orders need it, and each is read by its payment
  needs_attention: sql`orders.payment_id = any(array(
    select coalesce((select payment_id from captures where captures.id = needing.id), needing.id)
    from payments_needing_attention as needing))`,
}

/** How many orders a part of the list has. */
export const countOrdersIn = (db: Database, view: OrderView): Promise<number> =>
  countRows(db.selectFrom('orders').where(ORDER_VIEWS[view]))

/** Those of the orders with these ids that are in a part of the list. */
export async function selectIdsIn(db: Database, view: OrderView, ids: string[]) {
  const rows = await db
    .selectFrom('orders')
    .where('id', '=', anyOf(ids))
    .where(ORDER_VIEWS[view])
    .select('id')
    .execute()
  return new Set(rows.map(({ id }) => id))
}
