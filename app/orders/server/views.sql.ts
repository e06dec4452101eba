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

/** Whether any is refunded, which is enough to know of an order of which all is looked at. For a few orders. */
const HAS_REFUND = sql`exists (
  select from captures join refunds on capture_id = captures.id
  where payment_id = orders.payment_id and purpose = 'order' and refunds.state <> 'given_up')`

/** Whether no money of an order with refunds is left that is not refunded as a whole. */
const isRefunded = (hasRefunds: RawBuilder<unknown>) => sql`${hasRefunds} and not exists (
  select from captures where payment_id = orders.payment_id and purpose = 'order' and amount_minor > (
    select coalesce(sum(refunds.amount_minor), 0) from refunds
    where capture_id = captures.id and refunds.state <> 'given_up'))`

const toSend = (hasRefunds: RawBuilder<unknown>) => sql<boolean>`
  (orders.status in ('Not Process', 'Processing') and orders.stock_returned_at is null
    and not exists (select from payments
      where id = orders.payment_id and state = 'owed' and provider <> 'pay_on_delivery')
    and not (${isRefunded(hasRefunds)}))`

export const ORDER_VIEWS: Record<OrderView, RawBuilder<boolean>> = {
  to_send: toSend(sql`orders.payment_id in (${WITH_REFUNDED_CAPTURE})`),
  unpaid: sql`orders.payment_id in (select id from payments where state = 'owed')`,
  // few orders need it, and each is read by its payment
  needs_attention: sql`orders.payment_id = any(array(
    select coalesce((select payment_id from captures where captures.id = needing.id), needing.id)
    from payments_needing_attention as needing))`,
}

/** How many orders a part of the list has. */
export const countOrdersIn = (db: Database, view: OrderView): Promise<number> =>
  countRows(db.selectFrom('orders').where(ORDER_VIEWS[view]))

/** Those of the orders with these ids that are to be sent. */
export async function selectIdsToSend(db: Database, ids: string[]) {
  const rows = await db
    .selectFrom('orders')
    .where('id', '=', anyOf(ids))
    .where(toSend(HAS_REFUND))
    .select('id')
    .execute()
  return new Set(rows.map(({ id }) => id))
}
