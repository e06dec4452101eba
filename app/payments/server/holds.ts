/** Holds promise that what is being paid for is nobody else's, until it is paid, given up, or out of time. */
import { type CartLine, exchangeStock, returnStock } from '#app/products/server/service.ts'
import { type Actor, customer, SHOP } from '#app/shared/server/actor/actor.ts'
import { notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { goOnHolding, longestOf, MOST_OF_NETWORK, tooManyThere } from './fair-share/fair-share.ts'
import { endSpells, forgetSpells, lockNetwork } from './fair-share/store.ts'
import {
  deleteExpiredHold,
  deleteHold,
  deleteHoldOfUser,
  insertHold,
  lockBuyer,
} from './hold-store.ts'
import { selectPayment, selectPaymentLines } from './store.ts'

type Wanted = {
  paymentId: string
  userId: string
  /** Where the buyer is, as the limits see addresses. */
  network: string
  lines: CartLine[]
  minutes: number
}

const piecesOf = (lines: CartLine[]) => lines.reduce((pieces, line) => pieces + line.quantity, 0)

/**
 * Takes the lines out of the stock for a payment, in the place of what its buyer held before: a
 * buyer has one cart. Throws `out_of_stock`, and `rate_limited` when they have held it for too long
 * or very much is held where they are; then nothing has changed once the transaction is undone.
 */
export async function takeHold(
  tx: Database,
  { paymentId, userId, network, lines, minutes }: Wanted,
): Promise<void> {
  await lockBuyer(tx, userId)
  await lockNetwork(tx, network)
  const former = await deleteHoldOfUser(tx, userId)
  await endSpells(tx, userId)
  await goOnHolding(tx, { userId, lines, minutes })
  const returned = former ? await selectPaymentLines(tx, former.payment_id) : []
  await exchangeStock(tx, { taken: lines, returned })
  const isHeld = await insertHold(tx, {
    ...{ payment_id: paymentId, user_id: userId, network, minutes },
    ...{ pieces: piecesOf(lines), longest: longestOf(minutes), most: MOST_OF_NETWORK },
  })
  if (!isHeld) throw tooManyThere()
  await endSpells(tx, userId)
}

/** Takes what a payment holds for its order; false when it holds nothing any more. */
export async function consumeHold(
  tx: Database,
  { paymentId, userId, lines }: Pick<Wanted, 'paymentId' | 'userId' | 'lines'>,
): Promise<boolean> {
  const held = await deleteHold(tx, paymentId)
  const productIds = lines.map(({ product_id }) => product_id)
  await forgetSpells(tx, userId, productIds)
  return held !== undefined
}

/** Gives back what a payment holds; false when it holds nothing any more. */
export const endHold = (db: Database, actor: Actor, paymentId: string): Promise<boolean> =>
  inTransaction(db, actor, async (tx) => {
    const held = await deleteHold(tx, paymentId)
    if (!held) return false
    await endSpells(tx, held.user_id)
    await returnStock(tx, await selectPaymentLines(tx, paymentId))
    return true
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
