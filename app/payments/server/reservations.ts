/** Stock reservations: the pieces of a started payment are not for sale until it is paid, cancelled or expired. */
import { type CartLine, exchangeStock, returnStock } from '#app/products/server/service.ts'
import { type Actor, SHOP } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import {
  deleteExpiredReservation,
  deleteReservation,
  insertReservation,
  lockBuyer,
} from './reservation-store.ts'
import { selectPaymentLines } from './store.ts'

type Reservation = { paymentId: string; userId: string; lines: CartLine[]; minutes: number }

/**
 * Takes the lines out of the stock for a payment. A reservation that the buyer has already is
 * replaced: a buyer has one cart. Throws `out_of_stock`; the caller's transaction must then be undone.
 */
export async function reserve(
  tx: Database,
  { paymentId, userId, lines, minutes }: Reservation,
): Promise<void> {
  await lockBuyer(tx, userId)
  const former = await deleteReservation(tx, { user_id: userId })
  const returned = former ? await selectPaymentLines(tx, former.payment_id) : []
  await exchangeStock(tx, { taken: lines, returned })
  await insertReservation(tx, { payment_id: paymentId, user_id: userId, minutes })
}

/** Commits the reserved stock to the order of its payment; false when nothing is reserved any more. */
export const commit = async (tx: Database, paymentId: string): Promise<boolean> =>
  (await deleteReservation(tx, { payment_id: paymentId })) !== undefined

/** Returns the stock that a payment has reserved; false when nothing is reserved any more. */
export const release = (db: Database, actor: Actor, paymentId: string): Promise<boolean> =>
  inTransaction(db, actor, async (tx) => {
    if (!(await deleteReservation(tx, { payment_id: paymentId }))) return false
    await returnStock(tx, await selectPaymentLines(tx, paymentId))
    return true
  })

const releaseOneExpired = (db: Database): Promise<boolean> =>
  inTransaction(db, SHOP, async (tx) => {
    const expired = await deleteExpiredReservation(tx)
    if (expired) await returnStock(tx, await selectPaymentLines(tx, expired.payment_id))
    return expired !== undefined
  })

/** Releases expired reservations until none is left, or it is aborted; answers how many. */
export async function releaseExpired(db: Database, stop?: AbortSignal): Promise<number> {
  let released = 0
  while (!stop?.aborted && (await releaseOneExpired(db))) released += 1
  return released
}
