import { queueEmail } from '#app/emails/server/service.ts'
import type { Database } from '#db/schema.ts'
import type { OrderStatus } from '../contract.ts'
import { addMailedStatus, type LockedOrder } from './store.ts'

/** The statuses of an order that is not cancelled, in their order. */
const PROGRESS: OrderStatus[] = ['Not Process', 'Processing', 'Shipped', 'deliverd']

/**
 * Whether the buyer is told of a status: once, and not of one that the order has passed already, because
 * then an admin corrects a mistake. The first status is told by the confirmation of the order.
 */
export function isNews(status: OrderStatus, mailed: OrderStatus[]): boolean {
  if (mailed.includes(status)) return false
  const passed = Math.max(0, ...mailed.map((one) => PROGRESS.indexOf(one)))
  return status === 'cancel' || PROGRESS.indexOf(status) > passed
}

/** Queues the e-mail about a new status, if it is news, inside the caller's transaction. */
export async function mailStatus(
  tx: Database,
  order: LockedOrder,
  status: OrderStatus,
): Promise<void> {
  if (!isNews(status, order.mailed_statuses)) return
  await addMailedStatus(tx, order.id, status)
  await queueEmail(tx, {
    kind: 'status_changed',
    facts: { name: order.buyer_name, number: order.number, status },
    userId: order.user_id,
    recipient: order.buyer_email,
    orderId: order.id,
  })
}
