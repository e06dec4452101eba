/** Orders that are paid without a provider: the money that an admin enters, and reminders. */
import { v7 as uuidv7 } from 'uuid'
import { invoiceQueued } from '#app/orders/server/documents-due.sql.ts'
import type { ReceivedAs } from '#app/payments/order-admin-contract.ts'
import { moneyTextOf } from '#app/settings/server/money-text.ts'
import { type Actor, SHOP } from '#app/shared/server/actor/actor.ts'
import { conflict, invalid, notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { recordEvent } from '#app/shared/server/outbox/events-store.ts'
import type { Database } from '#db/schema.ts'
import { type Capture, selectCapture } from '../capture-store.ts'
import {
  insertReceived,
  isWithin,
  lockOwed,
  markReminded,
  type Owed,
  payOwed,
  selectLate,
  selectOwedMinor,
} from './owed-store.ts'

type Receipt = {
  orderId: string
  amountMinor: number
  /** The day on which the money came in, in the shop's time zone. */
  day: string
  /** The same for a repeated request. */
  key: string
  receivedAs?: ReceivedAs | null | undefined
}

async function requireOwed(
  tx: Database,
  { state, currency }: Owed,
  owedMinor: number,
  amountMinor: number,
) {
  if (state === 'cancelled')
    throw conflict('This order is cancelled. Send the money back, or let the customer order again.')
  if (state !== 'owed') throw conflict('This order is paid already.')
  if (amountMinor <= 0) throw invalid('The amount must be above 0.', 'amount')
  if (amountMinor <= owedMinor) return
  const money = await moneyTextOf(tx)
  throw invalid(`Only ${money(owedMinor, currency)} of this order is owed.`, 'amount')
}

/** Throws `conflict` for the key of other money. */
function requireSame(known: Capture, { id }: Owed, amountMinor: number) {
  if (known.payment_id !== id || known.amount_minor !== amountMinor)
    throw conflict('This payment is entered already, with another amount or for another order.')
}

const aboutOrder = ({ order_id, number }: Owed) => ({ subjectId: order_id, facts: { number } })

/** An unpaid order is paid: its invoice is due. */
async function markPaid(tx: Database, owed: Owed, { notify }: { notify: boolean }) {
  await payOwed(tx, owed)
  await invoiceQueued(owed.order_id).execute(tx)
  await recordEvent(tx, { kind: 'order_paid', notify, ...aboutOrder(owed) })
}

/**
 * Enters the whole total of an order that was placed just now, in the transaction that has placed it: it was paid by
 * hand before. The customer gets no e-mail about the money.
 */
export async function receiveAtOnce(
  tx: Database,
  {
    orderId,
    key,
    ...received
  }: { orderId: string; key: string; userId: string; receivedAs: ReceivedAs },
): Promise<void> {
  const owed = await lockOwed(tx, orderId)
  if (!owed) throw new Error(`The order ${orderId} is not paid by hand.`)
  await insertReceived(tx, {
    ...received,
    id: uuidv7(),
    providerPaymentId: `${owed.provider}_${key.toLowerCase()}`,
    owed,
    amountMinor: owed.amount_minor,
    day: null,
  })
  await markPaid(tx, owed, { notify: false })
}

/**
 * Enters money that came in for an unpaid order; with the last part the order is paid, and its invoice is issued.
 * Idempotent by `key`. Throws `not_found` for an unknown order and for one that a provider takes the money of,
 * `conflict` for one that is paid or cancelled and for the `key` of other money, and `invalid` for more than is owed, or for a day that is before
 * the order or in the future.
 */
export const receivePayment = (
  db: Database,
  actor: Actor,
  { orderId, amountMinor, day, key, receivedAs = null }: Receipt,
): Promise<void> =>
  inTransaction(db, actor, async (tx) => {
    const owed = await lockOwed(tx, orderId)
    if (!owed) throw notFound('There is no such order that is paid without a provider.')
    const providerPaymentId = `${owed.provider}_${key.toLowerCase()}`
    const known = await selectCapture(tx, providerPaymentId)
    if (known) return requireSame(known, owed, amountMinor)
    const owedMinor = await selectOwedMinor(tx, owed)
    await requireOwed(tx, owed, owedMinor, amountMinor)
    if (!(await isWithin(tx, day, owed)))
      throw invalid('Enter a day from that of the order up to today.', 'date')
    await insertReceived(tx, {
      id: uuidv7(),
      providerPaymentId,
      owed,
      amountMinor,
      day,
      userId: actor.id ?? null,
      receivedAs,
    })
    if (amountMinor < owedMinor) return
    await markPaid(tx, owed, { notify: true })
  })

/** Reminds the buyers of orders that are not paid in time, once, a hundred in one run. */
export async function remindOfUnpaid(db: Database, stop?: AbortSignal): Promise<void> {
  for (const orderId of await selectLate(db)) {
    if (stop?.aborted) return
    await inTransaction(db, SHOP, async (tx) => {
      const owed = await lockOwed(tx, orderId)
      if (owed && (await markReminded(tx, owed.id)))
        await recordEvent(tx, { kind: 'payment_overdue', ...aboutOrder(owed) })
    })
  }
}
