/** Orders: a copy of what was sold, independent of later changes to the product. */
import { v7 as uuidv7 } from 'uuid'
import { type CartLine, totalOf } from '#app/products/server/service.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { notFound } from '#app/shared/server/failure.ts'
import { firstCharacters } from '#app/shared/server/first-characters.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { MOST_DESCRIBED, type Order, type OrderStatus } from '../contract.ts'
import { presentOrders } from './presenter.ts'
import {
  countOrdersAt,
  insertOrder,
  insertOrderLines,
  type OrderRow,
  selectLinesOf,
  selectOrder,
  selectOrderOfPayment,
  updateBuyerName,
  updateOrderStatus,
} from './store.ts'

type Sale = {
  paymentId: string
  buyerId: string
  lines: CartLine[]
  /** Whether the payment was a test. */
  test: boolean
}

/**
 * Stores a sale as an order, inside the caller's transaction. A unique constraint allows one order
 * per payment.
 */
export async function placeOrder(
  tx: Database,
  { paymentId, buyerId, lines, test }: Sale,
): Promise<void> {
  const id = uuidv7()
  await insertOrder(tx, {
    id,
    payment_id: paymentId,
    user_id: buyerId,
    total_minor: totalOf(lines),
    test,
  })
  await insertOrderLines(
    tx,
    lines.map(({ description, ...line }, position) => ({
      ...line,
      order_id: id,
      position,
      description: firstCharacters(description, MOST_DESCRIBED),
    })),
  )
}

async function presented(db: Database, order: OrderRow): Promise<Order> {
  const [presented] = presentOrders([order], await selectLinesOf(db, [order.id]))
  if (!presented) throw new Error(`The order ${order.id} cannot be presented.`)
  return presented
}

/** The order of a payment as the API returns it. Throws when there is none. */
export const orderOfPayment = async (db: Database, paymentId: string): Promise<Order> =>
  presented(db, await selectOrderOfPayment(db, paymentId))

/**
 * Changes the status of an order to any other (spec §4). A cancelled order does not count in the
 * figures; its stock and its money are not returned. Throws `not_found` for an unknown order.
 */
export async function changeStatus(
  db: Database,
  actor: Actor,
  { orderId, status }: { orderId: string; status: OrderStatus },
): Promise<Order> {
  const found = await inTransaction(db, actor, (tx) => updateOrderStatus(tx, orderId, status))
  if (!found) throw notFound('There is no such order.')
  return presented(db, await selectOrder(db, orderId))
}

/** The statuses of orders that are still to be sent, for which the delivery address is needed. */
const TO_SEND: OrderStatus[] = ['Not Process', 'Processing']

/** The number of a user's orders that are still to be sent. */
export const countOrdersToSend = (db: Database, userId: string): Promise<number> =>
  countOrdersAt(db, userId, TO_SEND)

/** Removes a user's personal data from their orders, inside the caller's transaction; `name` replaces theirs. */
export async function anonymiseOrders(tx: Database, userId: string, name: string): Promise<void> {
  await updateBuyerName(tx, userId, name)
}
