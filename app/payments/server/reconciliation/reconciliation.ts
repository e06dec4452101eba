/**
 * Reconciliation: polls the provider, so that a payment is settled even if no webhook and no
 * browser reports it.
 */
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { Failure } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { completePayment, isDecided } from '../completion.ts'
import type { PaymentContext } from '../context.ts'
import type { ProviderPayment } from '../providers/provider.ts'
import { noteRefundElsewhere, noteRefundMissing } from '../refunds/refund-store.ts'
import { withRefundEmails } from '../refunds/refunds.ts'
import { restartPolling, selectByProviderPayment } from '../store.ts'
import {
  endUnconfirmed,
  idsOf,
  type NotCaptured,
  notePoll,
  noteUnconfirmed,
  type PolledPayment,
  selectAmountToCapture,
  selectPolled,
  takePaymentToPoll,
} from './reconciliation-store.ts'

/** How many payments are polled in one run of the job. */
const BATCH = 300

/** How many are polled at the same time: fewer than the database has connections. */
const CONCURRENCY = 4

type PollResult = { payment: PolledPayment; providerOrderId: string; found: ProviderPayment[] }

/** Settles a captured payment; throws what prevents a decision. */
const complete = (
  db: Database,
  context: PaymentContext,
  providerOrderId: string,
  { id: providerPaymentId, amountMinor, currency }: ProviderPayment,
) =>
  completePayment(db, context, {
    providerOrderId,
    providerPaymentId,
    reporter: SHOP,
    paid: { amountMinor, currency },
  }).catch((error) => {
    if (!isDecided(error)) throw error
  })

/** Settles captured money, and captures authorised money that is wanted. */
async function completeAll(
  db: Database,
  context: PaymentContext,
  { payment, providerOrderId, found }: PollResult,
): Promise<void> {
  for (const one of found)
    if (one.status === 'captured') await complete(db, context, providerOrderId, one)
  for (const one of found.filter(({ status }) => status === 'authorised')) {
    const which = { paymentId: payment.id, providerPaymentId: one.id }
    const amount = await selectAmountToCapture(db, which)
    // the bank releases what is not captured: a second payment, or one of a cancelled order
    if (amount && (await context.provider.capture(one.id, amount)))
      await complete(db, context, providerOrderId, one)
  }
}

/** Notes where the provider has refunded more or less than the shop knows of. */
async function compareRefunds(db: Database, found: ProviderPayment[]) {
  for (const { id, refundedMinor } of found) {
    const money = await selectByProviderPayment(db, id)
    // the refund of money that was never captured is none
    if (!money?.confirmed_at || money.state === 'refund_pending') continue
    await inTransaction(db, SHOP, async (tx) => {
      await withRefundEmails(tx, money.id, () => noteRefundElsewhere(tx, money.id, refundedMinor))
      await noteRefundMissing(tx, money.id, refundedMinor)
    })
  }
}

/** Notes money that was not captured. An order without its money is reported to the merchant once. */
export async function noteNotCaptured(
  db: Database,
  { log, retrySeconds }: Pick<PaymentContext, 'log' | 'retrySeconds'>,
  notCaptured: NotCaptured,
) {
  const { paymentId } = notCaptured
  const noted = await inTransaction(db, SHOP, async (tx) => {
    const isOver = idsOf(notCaptured).length > 0
    // a bank may still capture later
    const isEnded =
      isOver && (await withRefundEmails(tx, paymentId, () => endUnconfirmed(tx, notCaptured)))
    if (isEnded) await restartPolling(tx, paymentId, retrySeconds)
    return noteUnconfirmed(tx, notCaptured)
  })
  for (const { provider_payment_id: providerPaymentId, issue } of noted) {
    if (issue === 'expired')
      log.error({ paymentId, providerPaymentId }, 'the money of an order was never captured')
  }
}

/**
 * The error shown to the merchant; it names the key the payment was started with where that is not
 * the current one.
 */
const pollError = (
  { provider }: PaymentContext,
  { public_key }: PolledPayment,
  { message }: Failure,
) =>
  public_key === null || public_key === provider.publicKey
    ? message
    : `${message} It was started with the key ${public_key}.`

/**
 * Polls the order of a payment whose money is to be refunded, outside its schedule of polls. The error
 * of a provider that does not answer was noted with the refund.
 */
export async function pollDecided(
  db: Database,
  context: PaymentContext,
  paymentId: string,
): Promise<void> {
  const payment = await selectPolled(db, paymentId)
  const providerOrderId = payment?.provider_order_id
  if (!payment || !providerOrderId) return
  try {
    await pollOrder(db, context, payment, providerOrderId)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}

/** Reads the payments of the order from the provider, and handles each. */
async function pollOrder(
  db: Database,
  context: PaymentContext,
  payment: PolledPayment,
  providerOrderId: string,
) {
  const found = await context.provider.paymentsOf(providerOrderId)
  const polled = { payment, providerOrderId, found }
  await completeAll(db, context, polled)
  const idsWith = (wanted: ProviderPayment['status']) =>
    found.filter(({ status }) => status === wanted).map(({ id }) => id)
  await noteNotCaptured(db, context, {
    paymentId: payment.id,
    failed: idsWith('failed'),
    refunded: idsWith('refunded'),
    released: idsWith('released'),
  })
  await compareRefunds(db, found)
}

/** Polls one payment; false when the provider does not answer at all. */
async function poll(
  db: Database,
  context: PaymentContext,
  payment: PolledPayment,
  providerOrderId: string,
): Promise<boolean> {
  const { retrySeconds } = context
  try {
    await pollOrder(db, context, payment, providerOrderId)
    await notePoll(db, payment, { retrySeconds, error: null })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'unavailable') return false
    await notePoll(db, payment, { retrySeconds, error: pollError(context, payment, error) })
  }
  return true
}

/** Polls the next payment; false when none is due, or the provider does not answer. */
async function pollNext(db: Database, context: PaymentContext): Promise<boolean> {
  const payment = await takePaymentToPoll(db, context.provider.name)
  return payment?.provider_order_id ? poll(db, context, payment, payment.provider_order_id) : false
}

/**
 * Polls the payments that are due, some at the same time, and settles what was paid. Ends when none
 * is due, when the provider does not answer, or when it is aborted.
 */
export async function reconcile(
  db: Database,
  context: PaymentContext,
  stop?: AbortSignal,
): Promise<void> {
  // the first poll is alone: a provider that is down is not called several times
  let hasMore = await pollNext(db, context)
  let polls = 1
  const pollRemaining = async () => {
    while (hasMore && polls < BATCH && !stop?.aborted) {
      polls += 1
      hasMore = (await pollNext(db, context)) && hasMore
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, pollRemaining))
}
