/** Holds promise that what is being paid for is nobody else's, until it is paid, given up, or out of time. */
import { type CartLine, exchangeStock, returnStock } from '#app/products/server/service.ts'
import { type Actor, customer, SHOP } from '#app/shared/server/actor/actor.ts'
import { notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { heedOthers } from './fair-share/fair-share.ts'
import { forgetSpells, lockNetworks, shortenSpells } from './fair-share/store.ts'
import { deleteExpiredHold, deleteHold, insertHold, lockBuyer, selectHold } from './hold-store.ts'
import { markCancelled, selectPayment, selectPaymentLines } from './store.ts'

type Wanted = {
  paymentId: string
  userId: string
  /** Where the buyer is, as the limits see addresses. */
  network: string
  lines: CartLine[]
  minutes: number
}

const idsOf = (lines: { product_id: string }[]) => lines.map(({ product_id }) => product_id)

/** Ends what the buyer holds and answers what goes back; always the buyer first, then networks. */
async function endFormer(tx: Database, userId: string, network: string) {
  await lockBuyer(tx, userId)
  const former = await selectHold(tx, { user_id: userId })
  await lockNetworks(tx, [network, former?.network ?? network])
  // its payment may have consumed it meanwhile, or time ended it
  const ended = former && (await deleteHold(tx, former.payment_id))
  const lines = ended ? await selectPaymentLines(tx, former.payment_id) : []
  return { network: former?.network ?? network, lines }
}

/**
 * Takes the lines out of the stock for a payment, in the place of what its buyer held before: a
 * buyer has one cart. Throws `out_of_stock`, and `rate_limited` when it is the turn of buyers
 * elsewhere; then nothing has changed once the transaction is undone.
 */
export async function takeHold(
  tx: Database,
  { paymentId, userId, network, lines, minutes }: Wanted,
): Promise<void> {
  const former = await endFormer(tx, userId, network)
  await exchangeStock(tx, { taken: lines, returned: former.lines })
  await insertHold(tx, { payment_id: paymentId, user_id: userId, network, minutes })
  await heedOthers(tx, { network, lines, minutes })
  await shortenSpells(tx, { network: former.network, productIds: idsOf(former.lines) })
}

/** Takes what a payment holds for its order; false when it holds nothing any more. */
export async function consumeHold(
  tx: Database,
  { paymentId, lines }: Pick<Wanted, 'paymentId' | 'lines'>,
): Promise<boolean> {
  const held = await deleteHold(tx, paymentId)
  if (held) await forgetSpells(tx, { network: held.network, productIds: idsOf(lines) })
  return held !== undefined
}

/** Gives back what a payment holds; false when it holds nothing any more. */
export const endHold = (db: Database, actor: Actor, paymentId: string): Promise<boolean> =>
  inTransaction(db, actor, async (tx) => {
    const hold = await selectHold(tx, { payment_id: paymentId })
    if (!hold) return false
    const { network } = hold
    await lockBuyer(tx, hold.user_id)
    await lockNetworks(tx, [network])
    if (!(await deleteHold(tx, paymentId))) return false
    const lines = await selectPaymentLines(tx, paymentId)
    await returnStock(tx, lines)
    await shortenSpells(tx, { network, productIds: idsOf(lines) })
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

type Left = { userId: string; providerOrderId: string; releaseOnly?: boolean | undefined }

/**
 * The buyer has cancelled the payment: what it holds is free at once, and money that comes in all
 * the same goes back. With `releaseOnly` the payment stays open, and such money is decided on like
 * any that comes late. Throws `not_found` when it is not their payment.
 */
export async function cancelPayment(
  db: Database,
  { userId, providerOrderId, releaseOnly = false }: Left,
): Promise<void> {
  const payment = await selectPayment(db, providerOrderId)
  if (payment?.user_id !== userId) throw notFound('There is no such payment.')
  await inTransaction(db, customer(userId), async (tx) => {
    // the payment first, as settlement does: of the two one waits for the other
    if (!releaseOnly) await markCancelled(tx, payment.id)
    await endHold(tx, customer(userId), payment.id)
  })
}
