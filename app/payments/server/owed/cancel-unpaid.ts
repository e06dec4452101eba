/** The end of an order that was placed unpaid: for the service of orders, which payments call. */
import { releaseCoupons } from '#app/coupons/server/uses.ts'
import type { Database } from '#db/schema.ts'
import { cancelOwed, lockOwed } from './owed-store.ts'

/**
 * Ends the payment of an order that is not paid in full, and releases its coupons, inside the caller's transaction,
 * which locks the order after that. False for any other order.
 */
export async function cancelUnpaid(tx: Database, orderId: string): Promise<boolean> {
  const owed = await lockOwed(tx, orderId)
  if (owed?.state !== 'owed') return false
  await releaseCoupons(tx, owed)
  await cancelOwed(tx, owed)
  return true
}

/** Whether an order was cancelled before it was paid: its stock is for sale again. */
export const wasNeverPaid = async (tx: Database, orderId: string): Promise<boolean> =>
  (await lockOwed(tx, orderId))?.state === 'cancelled'
