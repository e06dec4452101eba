/** Orders: a copy of what was sold, independent of later changes to the product. */
import { returnStock } from '#app/products/server/service.ts'
import { conflict, notFound } from '#app/shared/server/failure.ts'
import type { Database, StoredQuote } from '#db/schema.ts'
import type { Order, OrderStatus } from '../contract.ts'
import { presentSold } from './presenter.ts'
import {
  insertReturned,
  lockForReturn,
  markStockReturned,
  type ReturnableLine,
  returnTestLines,
  selectReturnable,
} from './returns/store.ts'
import {
  type OrderRow,
  selectLinesOf,
  selectOrder,
  selectOrderOfPayment,
  selectOrdersAt,
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

/** An order as the API returns it. Throws `not_found` when there is none. */
export async function openOrder(db: Database, id: string): Promise<Order> {
  const order = await selectOrder(db, id)
  if (!order) throw notFound('There is no such order.')
  return presented(db, order)
}

/** The statuses of orders that are still to be sent, for which the delivery address is needed. */
const TO_SEND: OrderStatus[] = ['Not Process', 'Processing']

/** A user's orders that are still to be sent or to be paid; a wholly refunded one is neither. */
export const openOrdersOf = (db: Database, userId: string) => selectOrdersAt(db, userId, TO_SEND)

/** How many of a line are to be returned. */
export type Return = { position: number; quantity: number }

/** The lines with the quantities that are returned now. */
const returnedNow = (lines: ReturnableLine[], returns: Return[] | null): ReturnableLine[] =>
  lines.flatMap((line) => {
    const wanted = returns?.find(({ position }) => position === line.position)?.quantity ?? 0
    const left = returns ? Math.min(wanted, line.left) : line.left
    return left > 0 ? [{ ...line, left }] : []
  })

/**
 * Returns pieces of orders to the stock, inside the caller's transaction: those that were not returned before, of all
 * or, of one order, of these. Answers how many; pieces of products that were deleted since are gone.
 */
export async function returnStockOfAll(
  tx: Database,
  orderIds: string[],
  returns: Return[] | null = null,
): Promise<number> {
  await lockForReturn(tx, orderIds)
  const now = returnedNow(await selectReturnable(tx, orderIds), returns)
  if (now.length === 0) return 0
  await insertReturned(tx, now)
  await markStockReturned(tx, orderIds)
  await returnStock(
    tx,
    now.map(({ left, ...line }) => ({ ...line, quantity: left })),
  )
  return now.reduce((sum, { left }) => sum + left, 0)
}

/** The same of one order. */
export const returnStockOf = (
  tx: Database,
  orderId: string,
  returns: Return[] | null = null,
): Promise<number> => returnStockOfAll(tx, [orderId], returns)

/** Returns all that was not returned before, and throws `conflict` when nothing is left to return. */
export async function returnOrderStock(tx: Database, orderId: string): Promise<void> {
  if ((await returnStockOf(tx, orderId)) === 0)
    throw conflict('The pieces of this order were returned to the stock already.')
}

/**
 * Returns the pieces of all test orders to the stock, inside the caller's transaction, and answers of how many
 * orders. Pieces that were returned before, or of products that were deleted since, are not.
 */
export async function returnTestStock(tx: Database): Promise<number> {
  const { lines, orders } = await returnTestLines(tx)
  await returnStock(tx, lines)
  return orders
}
