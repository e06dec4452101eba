/** Settlement: captured money is decided on once. It pays its order, or is refunded. */
import type { Order } from '#app/orders/contract.ts'
import { orderOfPayment, placeOrder } from '#app/orders/server/service.ts'
import {
  arePricesOfToday,
  type CartLine,
  priceCart,
  takeStock,
  totalOf,
} from '#app/products/server/service.ts'
import type { FailureCode } from '#app/shared/contract/failure.ts'
import { type Actor, customer } from '#app/shared/server/actor/actor.ts'
import { Failure, paymentFailed, priceChanged } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database, Row } from '#db/schema.ts'
import { PAYMENT_FAILED, type PaymentProof } from '../contract.ts'
import type { PaymentContext } from './context.ts'
import { refusalMessage } from './presenter.ts'
import type { Amount } from './providers/provider.ts'
import { CANCELLED, NOTHING_TO_SELL, refund } from './refunds.ts'
import { commit } from './reservations.ts'
import {
  confirmCapture,
  inSavepoint,
  insertProviderPayment,
  isCancelled,
  lockPayment,
  markCaptured,
  markRefundPending,
  markSettled,
  restartPolling,
  selectPayment,
  selectPaymentLines,
  selectProviderPayment,
} from './store.ts'

/** The provider's ids are shorter. */
const MAX_ID_LENGTH = 200

/** A report that a payment of the provider's order was made. */
type Report = {
  providerOrderId: string
  providerPaymentId: string
  /** The reporter. */
  reporter: Actor
  /** The user whose browser reports it; absent when the provider does. */
  buyerId?: string
  /** What to sell when the payment was started without a cart: one entry a piece. */
  cart?: { _id: string }[]
  /** The captured amount, where the provider reports it; a signed proof may be of an authorisation. */
  paid?: Amount
}

type Payment = Row<'payments'>
type Money = Row<'provider_payments'>

/**
 * Turns a payment that the buyer's browser reports into its order. Idempotent. Throws
 * `payment_failed` when the proof is wrong or not the buyer's, and what `completePayment` throws.
 */
export async function verifyPayment(
  db: Database,
  context: PaymentContext,
  { buyerId, cart, proof }: { buyerId: string; cart?: { _id: string }[]; proof: PaymentProof },
): Promise<Order> {
  const { razorpay_order_id: providerOrderId, razorpay_payment_id: providerPaymentId } = proof
  if (providerPaymentId.length > MAX_ID_LENGTH || !context.provider.verifySignature(proof))
    throw paymentFailed(PAYMENT_FAILED)
  const report = { providerOrderId, providerPaymentId, buyerId, cart }
  return completePayment(db, context, { ...report, reporter: customer(buyerId) })
}

/**
 * Decides on money once, however often the browser, the webhook or a poll report it, and returns
 * its order. Throws `payment_failed` when there is nothing to sell for it, when its buyer has
 * cancelled it or when the payment has its order already, `out_of_stock` when a product is sold out
 * meanwhile, and `price_changed` when the prices of the start are no longer honoured: then the
 * money is refunded. Money for a payment without a cart stays unmatched until a buyer names the
 * cart. Throws `unavailable` when the provider is needed and does not answer, and `not_found` when
 * it refuses: then the money is stored and decided on later.
 */
export async function completePayment(
  db: Database,
  context: PaymentContext,
  report: Report,
): Promise<Order> {
  const isExpected = await isExpectedAmount(db, context, report)
  const decided = await inTransaction(db, report.reporter, (tx) =>
    decide(tx, context, { ...report, isExpected }),
  )
  if (decided.state === 'refund_pending') await refund(db, context, decided.id)
  if (decided.refusal_code) throw new Failure(decided.refusal_code, messageOf(decided))
  if (decided.state === 'unmatched') throw paymentFailed(PAYMENT_FAILED)
  return orderOfPayment(db, decided.payment_id)
}

const messageOf = ({ state, refusal }: Money) =>
  refusal === null ? PAYMENT_FAILED : refusalMessage({ state, refusal })

const DECIDED: FailureCode[] = ['payment_failed', 'out_of_stock', 'price_changed']

/** Whether the error is a decision: the money is unmatched, or refunded. */
export const isDecided = (error: unknown): boolean =>
  error instanceof Failure && DECIDED.includes(error.code)

/**
 * Whether the provider's order was paid with the amount of the payment. A captured amount that
 * differs may include a fee or a discount of the provider, so its order is read. A signed proof
 * belongs to an order that was opened with exactly this amount.
 */
async function isExpectedAmount(
  db: Database,
  context: PaymentContext,
  report: Report,
): Promise<boolean> {
  const { providerOrderId, paid } = report
  if (!paid) return true
  const payment = await selectPayment(db, providerOrderId)
  if (payment?.provider !== context.provider.name) return true
  const matchesPrice = ({ amountMinor, currency }: Amount) =>
    amountMinor === payment.amount_minor && currency === payment.currency
  if (matchesPrice(paid)) return true
  // the money is stored before the provider answers
  await inTransaction(db, report.reporter, (tx) => storeMoney(tx, context, payment, report))
  const order = await context.provider.orderOf(providerOrderId)
  return order.isPaid && matchesPrice(order)
}

type CheckedReport = Report & { isExpected: boolean }
/** When the shop stored the money; unchanged when settlement is retried. */
type Recorded = { recordedAt: Date }

/** Stores the money once and decides on it; answers the decision, made now or before. */
async function decide(tx: Database, context: PaymentContext, report: CheckedReport) {
  const { providerOrderId, providerPaymentId: id, buyerId } = report
  const payment = await lockPayment(tx, providerOrderId)
  const known = payment?.provider === context.provider.name
  if (!known || (buyerId !== undefined && buyerId !== payment.user_id))
    throw paymentFailed(PAYMENT_FAILED)
  const stored = await storeMoney(tx, context, payment, report)
  const isConfirmed = await confirm(tx, report, stored)
  if (stored.state === 'unmatched')
    await decideOnNew(tx, context, payment, { ...report, recordedAt: stored.created_at })
  const decided = await selectProviderPayment(tx, id)
  if (isConfirmed) logIssue(context, payment, report, decided)
  if (isConfirmed || decided.state !== stored.state)
    await restartPolling(tx, payment.id, context.retrySeconds)
  return decided
}

/** Stores the money as unmatched, unless it is there; throws when it belongs to another payment. */
async function storeMoney(
  tx: Database,
  { retrySeconds }: PaymentContext,
  payment: Payment,
  report: Report,
) {
  const { amountMinor: amount_minor = payment.amount_minor, currency = payment.currency } =
    report.paid ?? {}
  const { providerPaymentId: id } = report
  const isNew = await insertProviderPayment(tx, {
    id,
    payment_id: payment.id,
    amount_minor,
    currency,
  })
  if (isNew) await restartPolling(tx, payment.id, retrySeconds)
  const stored = await selectProviderPayment(tx, id)
  if (stored.payment_id !== payment.id) throw paymentFailed(PAYMENT_FAILED)
  return stored
}

const confirm = async (tx: Database, { paid, isExpected }: CheckedReport, { id }: Money) =>
  paid !== undefined &&
  (await confirmCapture(tx, {
    id,
    isExpected,
    amount_minor: paid.amountMinor,
    currency: paid.currency,
  }))

/** Logs money that needs the merchant's attention. */
function logIssue(
  { log }: PaymentContext,
  payment: Payment,
  { paid, isExpected }: CheckedReport,
  money: Money,
) {
  const { id: paymentId, amount_minor, currency } = payment
  const facts = { paymentId, expected: { amount_minor, currency }, paid, money }
  if (money.issue === 'paid_cancelled') log.error(facts, 'money came in for a cancelled order')
  else if (!isExpected) log.error(facts, 'money of a wrong amount came in')
}

/** Decides on unmatched money. */
async function decideOnNew(
  tx: Database,
  context: PaymentContext,
  payment: Payment,
  report: CheckedReport & Recorded,
) {
  const { providerPaymentId: id, isExpected } = report
  // an order has one payment, of the expected amount
  if (payment.settled_at || !isExpected) await markRefundPending(tx, id, NOTHING_TO_SELL)
  else if (await isCancelled(tx, payment)) {
    await markSettled(tx, payment.id)
    await markRefundPending(tx, id, CANCELLED)
  } else await sell(tx, context, payment, report)
}

/**
 * Takes the stock for a payment whose reservation has ended. The prices of the start are honoured for
 * money that was stored by `prices_until`; later they must be today's.
 */
async function takeStockAgain(
  tx: Database,
  payment: Payment,
  lines: CartLine[],
  { recordedAt }: Recorded,
) {
  await takeStock(tx, lines)
  if (recordedAt <= payment.prices_until || (await arePricesOfToday(tx, lines))) return
  throw priceChanged('A price has changed since this payment was started.')
}

/** Places the order, or marks the money for refund when a product is sold out or a price has changed. */
async function sell(
  tx: Database,
  context: PaymentContext,
  payment: Payment,
  report: Report & Recorded,
) {
  const { providerPaymentId: id } = report
  const lines = await linesOf(tx, context, payment, report)
  if (!lines) return
  await markSettled(tx, payment.id)
  try {
    await inSavepoint(tx, async () => {
      // reserved pieces are out of the stock already
      if (!(await commit(tx, payment.id))) await takeStockAgain(tx, payment, lines, report)
      await markCaptured(tx, id)
      await placeOrder(tx, {
        paymentId: payment.id,
        buyerId: payment.user_id,
        lines,
        test: payment.test,
      })
    })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    await markRefundPending(tx, id, {
      refusal_code: error.code === 'price_changed' ? 'price_changed' : 'out_of_stock',
      refusal: error.message,
    })
  }
}

/**
 * The lines to sell. For a payment without a cart, those of the cart that the buyer names, which
 * must cost the paid amount today; null when there is none.
 */
async function linesOf(
  tx: Database,
  { log }: PaymentContext,
  payment: Payment,
  { buyerId, cart = [], providerPaymentId }: Report,
): Promise<CartLine[] | null> {
  if (payment.priced_cart) return selectPaymentLines(tx, payment.id)
  const ids = cart.map(({ _id }) => _id)
  const lines = await priceCart(tx, ids).catch((error) => {
    if (error instanceof Failure) return []
    throw error
  })
  if (totalOf(lines) === payment.amount_minor) return lines
  if (buyerId !== undefined)
    log.warn(
      { paymentId: payment.id, providerPaymentId },
      'a paid amount is not the price of its cart',
    )
  return null
}
