/**
 * Reconciliation: polls the provider, so that a payment is settled even if no webhook and no
 * browser reports it.
 */
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { Failure } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { completePayment, isDecided, matchesPrice } from '../completion.ts'
import type { OpenProvider, PaymentContext } from '../context.ts'
import type { Amount, ProviderOrder, ProviderPayment } from '../providers/provider.ts'
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

const amountOf = ({ amountMinor, currency }: Amount): Amount => ({ amountMinor, currency })

/** Whether money pays the whole of its order, which asks for the price of the payment. */
const isExpected = (
  payment: Pick<Polled, 'amount_minor' | 'currency'>,
  order: ProviderOrder,
  { paysOrder }: ProviderPayment,
): boolean => paysOrder && matchesPrice(payment, order)

/** Settles a payment that was captured, or authorised; throws what prevents a decision. */
const complete = (
  db: Database,
  context: PaymentContext,
  { provider, orderId, ...payment }: Polled,
  { order, money }: { order: ProviderOrder; money: ProviderPayment },
) =>
  completePayment(db, context, {
    provider,
    providerOrderId: orderId,
    providerPaymentId: money.id,
    reporter: SHOP,
    ...(money.status === 'captured' ? { paid: amountOf(money) } : { authorised: amountOf(money) }),
    isExpected: isExpected(payment, order, money),
  }).catch((error) => {
    if (!isDecided(error)) throw error
  })

/**
 * Settles captured money, decides on authorised money, and captures what an order wants. The rest is released:
 * a second payment, one of a cancelled order, or one of a wrong amount.
 */
async function completeAll(
  db: Database,
  context: PaymentContext,
  polled: Polled,
  order: ProviderOrder,
): Promise<void> {
  const { payments } = order
  for (const money of payments.filter(({ status }) => status === 'captured'))
    await complete(db, context, polled, { order, money })
  for (const money of payments.filter(({ status }) => status === 'authorised')) {
    await complete(db, context, polled, { order, money })
    const which = { paymentId: polled.id, providerPaymentId: money.id }
    const amount = isExpected(polled, order, money) && (await selectAmountToCapture(db, which))
    if (!amount) await polled.provider.release?.(money.id)
    else if (await capture(polled.provider, money.id, amount))
      await complete(db, context, polled, { order, money: { ...money, status: 'captured' } })
  }
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
const pollError = ({ provider, public_key }: Polled, { message }: Failure) =>
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
  const provider = payment && context.providers.get(payment.provider)
  const orderId = payment?.provider_order_id
  if (!provider || !orderId) return
  try {
    await pollOrder(db, context, { ...payment, provider, orderId })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}

/** Reads the payments of the order from the provider, and handles each. */
async function pollOrder(db: Database, context: PaymentContext, polled: Polled) {
  const { orderId: id, amount_minor: amountMinor, currency } = polled
  const order = await polled.provider.lookUp({ id, amountMinor, currency })
  await completeAll(db, context, polled, order)
  const idsWith = (wanted: ProviderPayment['status']) =>
    order.payments.filter(({ status }) => status === wanted).map((one) => one.id)
  // of a wrong amount: never captured
  const wrong = order.payments.filter(
    (one) => one.status === 'authorised' && !isExpected(polled, order, one),
  )
  await noteNotCaptured(db, context, {
    paymentId: polled.id,
    failed: [...idsWith('failed'), ...wrong.map((one) => one.id)],
    refunded: idsWith('refunded'),
    released: idsWith('released'),
  })
  await compareRefunds(db, order.payments)
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
