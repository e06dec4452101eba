/** Orders: a copy of what was sold, independent of later changes to the product. */
import { queueEmail } from '#app/emails/server/queue.sql.ts'
import { cancelUnpaid, wasNeverPaid } from '#app/payments/server/owed/cancel-unpaid.ts'
import { returnStock } from '#app/products/server/service.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { conflict, notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database, StoredQuote } from '#db/schema.ts'
import { ORDER_STATUSES, type Order, type OrderStatus } from '../contract.ts'
import { presentSold } from './presenter.ts'
import {
  countOrdersAt,
  lockOrder,
  markStockReturned,
  markTestStockReturned,
  type OrderRow,
  selectLinesOf,
  selectOrder,
  selectOrderOfPayment,
  updateOrderStatus,
} from './store.ts'

const presented = async (db: Database, order: OrderRow): Promise<Order> =>
  presentSold(order, await selectLinesOf(db, [order.id]))

/** An order that was placed just now, with the quote of its payment. */
export type PlacedOrder = OrderRow & { quote: StoredQuote }

/** A placed order as the API returns it. */
export const presentPlaced = ({ quote, ...order }: PlacedOrder): Order =>
  presentSold(
    order,
    quote.lines.map((line, position) => ({ ...line, order_id: order.id, position })),
  )

/** The order of a payment as the API returns it. Throws when there is none. */
export const orderOfPayment = async (db: Database, paymentId: string): Promise<Order> =>
  presented(db, await selectOrderOfPayment(db, paymentId))

/** The statuses of an order that is not cancelled, in their order. */
const PROGRESS: OrderStatus[] = ORDER_STATUSES.filter((status) => status !== 'cancel')

/**
 * Whether the buyer is notified of a status: once, and not of one that the order has passed already, because
 * then an admin corrects a mistake. The confirmation of the order reports the first status.
 */
function isNews(status: OrderStatus, mailed: OrderStatus[]): boolean {
  if (mailed.includes(status)) return false
  const passed = Math.max(0, ...mailed.map((one) => PROGRESS.indexOf(one)))
  return status === 'cancel' || PROGRESS.indexOf(status) > passed
}

const NEVER_PAID =
  'This order was cancelled before it was paid, and its pieces are for sale again. The customer can order again.'

/**
 * Changes the status of an order to any other (spec §4), and notifies the buyer by e-mail. A cancelled order does not
 * count in the figures; its stock and its money are not returned, unless it was not paid yet. Throws `not_found` for
 * an unknown order, and `conflict` for one that was cancelled before it was paid: its stock is sold again.
 */
export async function changeStatus(
  db: Database,
  actor: Actor,
  { orderId, status }: { orderId: string; status: OrderStatus },
): Promise<Order> {
  await inTransaction(db, actor, async (tx) => {
    const isUnpaid = status === 'cancel' && (await cancelUnpaid(tx, orderId))
    if (isUnpaid) await returnOrderStock(tx, orderId)
    if (status !== 'cancel' && (await wasNeverPaid(tx, orderId))) throw conflict(NEVER_PAID)
    const order = await lockOrder(tx, orderId)
    if (!order) throw notFound('There is no such order.')
    const isMailed = isNews(status, order.mailed_statuses)
    await updateOrderStatus(tx, orderId, status, isMailed)
    if (isMailed)
      await queueEmail(tx, {
        kind: 'status_changed',
        facts: { name: order.buyer_name, number: order.number, status },
        userId: order.user_id,
        recipient: order.buyer_email,
        orderId: order.id,
      })
  })
  return presented(db, await selectOrder(db, orderId))
}

/** The statuses of orders that are still to be sent, for which the delivery address is needed. */
const TO_SEND: OrderStatus[] = ['Not Process', 'Processing']

/** The number of a user's orders that are still to be sent or to be paid; a wholly refunded one is neither. */
export const countOrdersToSend = (db: Database, userId: string): Promise<number> =>
  countOrdersAt(db, userId, TO_SEND)

/**
 * Returns the pieces of an order to the stock, inside the caller's transaction. Throws `conflict` when that
 * was done before. Pieces of products that were deleted since are gone.
 */
export async function returnOrderStock(tx: Database, orderId: string): Promise<void> {
  if (!(await markStockReturned(tx, orderId)))
    throw conflict('The pieces of this order were returned to the stock already.')
  await returnStock(tx, await selectLinesOf(tx, [orderId]))
}

/**
 * Returns the pieces of all test orders to the stock, inside the caller's transaction, and answers of how many
 * orders. Pieces that were returned before, or of products that were deleted since, are not.
 */
export async function returnTestStock(tx: Database): Promise<number> {
  const { lines, orders } = await markTestStockReturned(tx)
  await returnStock(tx, lines)
  return orders
}
