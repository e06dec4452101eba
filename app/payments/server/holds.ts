/** Holds promise that what is being paid for is nobody else's, until it is paid, given up, or out of time. */
import { type CartLine, exchangeStock, returnStock } from '#app/products/server/service.ts'
import { type Actor, customer, SHOP } from '#app/shared/server/actor/actor.ts'
import { notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import {
  deleteExpiredHold,
  deleteHold,
  deleteHoldOfUser,
  insertHold,
  lockBuyer,
} from './hold-store.ts'
import { selectPayment, selectPaymentLines } from './store.ts'

type Wanted = { paymentId: string; userId: string; lines: CartLine[]; minutes: number }

/**
 * Takes the lines out of the stock for a payment, in the place of what its buyer held before: a
 * buyer has one cart. Throws `out_of_stock`, and then nothing has changed once the transaction is
 * undone.
 */
export async function takeHold(
  tx: Database,
  { paymentId, userId, lines, minutes }: Wanted,
): Promise<void> {
  await lockBuyer(tx, userId)
  const former = await deleteHoldOfUser(tx, userId)
  const returned = former ? await selectPaymentLines(tx, former.payment_id) : []
  await exchangeStock(tx, { taken: lines, returned })
  await insertHold(tx, { payment_id: paymentId, user_id: userId, minutes })
}

/** Gives back what a payment holds; false when it holds nothing any more. */
export const endHold = (db: Database, actor: Actor, paymentId: string): Promise<boolean> =>
  inTransaction(db, actor, async (tx) => {
    const held = await deleteHold(tx, paymentId)
    if (held) await returnStock(tx, await selectPaymentLines(tx, paymentId))
    return held
  })

const endExpiredHold = (db: Database): Promise<boolean> =>
  inTransaction(db, SHOP, async (tx) => {
    const expired = await deleteExpiredHold(tx)
    if (expired) await returnStock(tx, await selectPaymentLines(tx, expired.payment_id))
    return expired !== undefined
  })

/** Gives back whatever is held longer than its time, until told to stop; answers how many ended. */
export async function endExpiredHolds(db: Database, stop?: AbortSignal): Promise<number> {
  let ended = 0
  while (!stop?.aborted && (await endExpiredHold(db))) ended += 1
  return ended
}

/**
 * The buyer has left the payment: what it holds is free at once. Money that comes in all the same
 * is decided on like any that comes late. Throws `not_found` when it is not their payment.
 */
export async function cancelPayment(
  db: Database,
  { userId, providerOrderId }: { userId: string; providerOrderId: string },
): Promise<void> {
  const payment = await selectPayment(db, providerOrderId)
  if (payment?.user_id !== userId) throw notFound('There is no such payment.')
  await endHold(db, customer(userId), payment.id)
}
