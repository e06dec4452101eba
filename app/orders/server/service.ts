/** Orders promise that what was sold stays as it was sold, whatever becomes of the product. */
import { v7 as uuidv7 } from 'uuid'
import { type CartLine, totalOf } from '#app/products/server/service.ts'
import type { Database } from '#db/schema.ts'
import type { Order } from '../contract.ts'
import { presentOrders } from './presenter.ts'
import { insertOrder, insertOrderLines, selectLinesOf, selectOrderOfPayment } from './store.ts'

type Sale = { paymentId: string; buyerId: string; lines: CartLine[] }

/**
 * Writes down a sale as an order, inside the caller's transaction. A payment makes at most one:
 * the database refuses a second.
 */
export async function placeOrder(tx: Database, { paymentId, buyerId, lines }: Sale): Promise<void> {
  const id = uuidv7()
  await insertOrder(tx, {
    id,
    payment_id: paymentId,
    user_id: buyerId,
    total_minor: totalOf(lines),
  })
  await insertOrderLines(
    tx,
    lines.map((line, position) => ({ order_id: id, position, ...line })),
  )
}

/** The order that a payment made, as it is sent out. Throws when it made none. */
export async function orderOfPayment(db: Database, paymentId: string): Promise<Order> {
  const order = await selectOrderOfPayment(db, paymentId)
  const [presented] = presentOrders([order], await selectLinesOf(db, [order.id]))
  if (!presented) throw new Error(`The order of payment ${paymentId} cannot be presented.`)
  return presented
}
