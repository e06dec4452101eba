/**
 * Reconciliation: polls the provider, so that a payment is settled even if no webhook and no
 * browser reports it.
 */
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { Failure } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import {
  forgetVoided,
  insertRefunded,
  markVoided,
  type NotCaptured,
  selectCapture,
} from '../capture-store.ts'
import { completePayment, matchesPrice } from '../completion.ts'
import type { OpenProvider, PaymentContext } from '../context.ts'
import type { Amount, ProviderOrder, ProviderPayment } from '../providers/provider.ts'
import { giveUpRefunds, markReleased, noteRefundMissing } from '../refunds/refund-store.ts'
import { noteRefundElsewhere, queueRefundDocuments } from '../refunds/refunds.ts'
import { lockWithAccount, restartPolling } from '../store.ts'
import {
  notePoll,
  noteUncaptured,
  type PolledPayment,
  postponePoll,
  selectAmountToCapture,
  selectPolled,
  takePaymentToPoll,
} from './reconciliation-store.ts'

/** How many payments are polled in one run of the job. */
const BATCH = 300

/** How many are polled at the same time: fewer than the database has connections. */
const CONCURRENCY = 4

/** A payment that is polled, with its order at its provider. */
type Polled = PolledPayment & { provider: OpenProvider; orderId: string }

type Found = { order: ProviderOrder; money: ProviderPayment }

/** Whether money pays for its payment: another amount does not, and is never captured. */
const isExpected = (payment: Polled, { order, money }: Found): boolean =>
  money.paysOrder && matchesPrice(payment, order)

/** Decides on money that was captured, or authorised. */
const complete = (db: Database, context: PaymentContext, polled: Polled, found: Found) => {
  const { id, status, amountMinor, currency } = found.money
  const amount = { amountMinor, currency }
  return completePayment(db, context, {
    provider: polled.provider,
    providerOrderId: polled.orderId,
    providerPaymentId: id,
    reporter: SHOP,
    ...(status === 'authorised' ? { authorised: amount } : { paid: amount }),
    isExpected: isExpected(polled, found),
  })
}

/** Decides on authorised money, and captures what an order wants. The rest is released. */
async function captureWanted(db: Database, context: PaymentContext, polled: Polled, found: Found) {
  const { provider } = polled
  const { money, order } = found
  await complete(db, context, polled, found)
  const decided = isExpected(polled, found) && (await selectCapture(db, money.id))
  const amount = decided && (await selectAmountToCapture(db, decided.id))
  if (!amount) return provider.release?.(money.id)
  if (await capture(provider, money.id, amount))
    await complete(db, context, polled, { order, money: { ...money, status: 'captured' } })
  else await noteUncaptured(db, polled.id)
}

/** Settles one payment of the order at the provider. */
async function settle(db: Database, context: PaymentContext, polled: Polled, found: Found) {
  const { id: paymentId, status, amountMinor, currency } = found.money
  if (status === 'authorised') await captureWanted(db, context, polled, found)
  const isKnown = status === 'refunded' && (await selectCapture(db, paymentId)) !== undefined
  // money that was refunded before it was decided on buys nothing
  if (isKnown) {
    const { provider, orderId } = polled
    await insertRefunded(db, provider.name, { orderId, paymentId, amountMinor, currency })
  }
  if (status === 'captured' || isKnown) await complete(db, context, polled, found)
}

/** Captures an authorised payment; false when the provider refuses it. */
async function capture(provider: OpenProvider, paymentId: string, amount: Amount) {
  try {
    await provider.capture?.(paymentId, amount)
    return provider.capture !== undefined
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return false
    throw error
  }
}

/** Notes where the provider has refunded more or less than the shop knows of. */
async function compareRefunds(db: Database, { id, refundedMinor }: ProviderPayment) {
  const capture = await selectCapture(db, id)
  // the refund of money that was never captured is none
  if (!capture?.confirmed_at) return
  await inTransaction(db, SHOP, async (tx) => {
    await noteRefundElsewhere(tx, capture, refundedMinor)
    await noteRefundMissing(tx, capture.id, refundedMinor)
  })
}

/** Notes money that was not captured. An order without its money is reported to the merchant once. */
export async function noteNotCaptured(
  db: Database,
  { log, retrySeconds }: Pick<PaymentContext, 'log' | 'retrySeconds'>,
  notCaptured: NotCaptured,
) {
  const { paymentId, failed, released } = notCaptured
  if (failed.length + released.length === 0) return
  const voided = await inTransaction(db, SHOP, async (tx) => {
    await lockWithAccount(tx, paymentId)
    const isForgotten = await forgetVoided(tx, notCaptured)
    const voided = await markVoided(tx, notCaptured)
    const isReleased = (id: string) => released.includes(id)
    const idsOf = (wanted: (one: (typeof voided)[number]) => boolean) =>
      voided.filter(wanted).map(({ id }) => id)
    const back = idsOf(({ provider_payment_id: id }) => isReleased(id))
    const lost = idsOf((one) => !isReleased(one.provider_payment_id) && one.purpose === 'nothing')
    if (back.length > 0)
      for (const { id } of await markReleased(tx, back)) await queueRefundDocuments(tx, id)
    if (lost.length > 0) await giveUpRefunds(tx, lost)
    // a bank may still capture later
    if (isForgotten || voided.length > 0) await restartPolling(tx, paymentId, retrySeconds)
    return voided
  })
  for (const { provider_payment_id: providerPaymentId, purpose } of voided) {
    if (purpose === 'order')
      log.error({ paymentId, providerPaymentId }, 'the money of an order was never captured')
  }
}

/**
 * The error shown to the merchant; it names the key the payment was started with where that is not
 * the current one.
 */
const pollError = ({ provider, public_key }: Polled, { message }: Failure) =>
  public_key === null || public_key === provider.publicKey
    ? message
    : `${message} It was started with the key ${public_key}.`

/** Reads the payments of the order from the provider, and settles each. */
async function pollOrder(db: Database, context: PaymentContext, polled: Polled) {
  const { orderId: id, amount_minor: amountMinor, currency } = polled
  const order = await polled.provider.lookUp({ id, amountMinor, currency })
  for (const money of order.payments) await settle(db, context, polled, { order, money })
  const idsWith = (wanted: ProviderPayment['status']) =>
    order.payments.filter(({ status }) => status === wanted).map((one) => one.id)
  // of a wrong amount: never captured
  const wrong = order.payments.filter(
    (money) => money.status === 'authorised' && !isExpected(polled, { order, money }),
  )
  await noteNotCaptured(db, context, {
    paymentId: polled.id,
    failed: [...idsWith('failed'), ...wrong.map((one) => one.id)],
    released: idsWith('released'),
  })
  for (const money of order.payments) await compareRefunds(db, money)
}

/** Polls a payment outside its schedule. A provider that does not answer is asked again by the schedule. */
export async function pollPayment(
  db: Database,
  context: PaymentContext,
  paymentId: string,
): Promise<void> {
  const payment = await selectPolled(db, paymentId)
  const provider = payment && context.providers.get(payment.provider)
  const orderId = payment?.provider_order_id
  if (!provider || !orderId) return
  try {
    await pollOrder(db, context, { ...payment, provider, orderId })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}

/** Polls one payment; false when the provider does not answer at all. */
async function poll(db: Database, context: PaymentContext, polled: Polled): Promise<boolean> {
  const { retrySeconds } = context
  try {
    await pollOrder(db, context, polled)
    await notePoll(db, polled, { retrySeconds, error: null })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'unavailable') {
      await postponePoll(db, polled, retrySeconds)
      return false
    }
    await notePoll(db, polled, { retrySeconds, error: pollError(polled, error) })
  }
  return true
}

/** Polls the next payment of a provider; false when none is due, or the provider does not answer. */
async function pollNext(
  db: Database,
  context: PaymentContext,
  provider: OpenProvider,
): Promise<boolean> {
  const payment = await takePaymentToPoll(db, provider.name)
  const orderId = payment?.provider_order_id
  return orderId ? poll(db, context, { ...payment, provider, orderId }) : false
}

/** Polls the payments of a provider that are due, some at the same time. */
async function reconcileAt(
  db: Database,
  context: PaymentContext,
  provider: OpenProvider,
  stop: AbortSignal | undefined,
): Promise<void> {
  // the first poll is alone: a provider that is down is not called several times
  let hasMore = await pollNext(db, context, provider)
  let polls = 1
  const pollRemaining = async () => {
    while (hasMore && polls < BATCH && !stop?.aborted) {
      polls += 1
      hasMore = (await pollNext(db, context, provider)) && hasMore
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, pollRemaining))
}

/**
 * Polls the payments that are due at the open providers, and settles what was paid. Ends at each when none is
 * due, when the provider does not answer, or when it is aborted.
 */
export async function reconcile(
  db: Database,
  context: PaymentContext,
  stop?: AbortSignal,
): Promise<void> {
  for (const provider of context.providers.all) await reconcileAt(db, context, provider, stop)
}
