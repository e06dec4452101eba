/** Completion: captured money is decided on once. It pays for its order, or is refunded. */
import { v7 as uuidv7 } from 'uuid'
import { quoteCart } from '#app/checkout/server/quote.ts'
import type { Order } from '#app/orders/contract.ts'
import { orderOfPayment, presentPlaced } from '#app/orders/server/service.ts'
import { arePricesOfToday, takeStock } from '#app/products/server/service.ts'
import type { FailureCode } from '#app/shared/contract/failure.ts'
import { type Actor, customer } from '#app/shared/server/actor/actor.ts'
import { isUniqueViolation } from '#app/shared/server/constraint-violation.ts'
import { Failure, paymentFailed, priceChanged } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database, StoredQuote } from '#db/schema.ts'
import { PAYMENT_FAILED, type PaymentProof } from '../contract.ts'
import { captureAndPlace, setQuote } from './completion-store.ts'
import type { PaymentContext } from './context.ts'
import { refusalMessage } from './presenter.ts'
import type { Amount } from './providers/provider.ts'
import { CANCELLED, NOTHING_TO_SELL, refund } from './refunds.ts'
import { isReserved, refuse } from './reservations.ts'
import {
  confirmCapture,
  inSavepoint,
  insertSurplus,
  isAccountClosed,
  lockPayment,
  type Money,
  ownMoney,
  type Payment,
  type Refusal,
  refuseMoney,
  removeMoney,
  restartPolling,
  selectByProviderPayment,
  selectPayment,
  storeMoney,
} from './store.ts'
import { UNDECIDED } from './transitions.ts'

/** The provider's ids are shorter. */
const MAX_ID_LENGTH = 200

/** How long the prices of the start are honoured after its reservation has expired. */
const HONOURED_MS = 60 * 60_000

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

const moneyOf = ({ providerPaymentId, paid }: Report): Money => ({
  id: providerPaymentId,
  captured: paid,
})

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
 * money is refunded. Money for a payment without a cart is kept until a buyer names the cart. Throws
 * `unavailable` when the provider is needed and does not answer, and `not_found` when it refuses: then
 * the money is stored and decided on later.
 */
export async function completePayment(
  db: Database,
  context: PaymentContext,
  report: Report,
): Promise<Order> {
  const placed = await completeReserved(db, context, report)
  if (placed) return presentPlaced(placed)
  const isExpected = await isExpectedAmount(db, context, report)
  const decided = await inTransaction(db, report.reporter, (tx) =>
    decide(tx, context, { ...report, isExpected }),
  )
  if (decided.state === 'refund_pending') await refund(db, context, decided.id)
  if (decided.refusal_code) throw new Failure(decided.refusal_code, messageOf(decided))
  if (UNDECIDED.includes(decided.state)) throw paymentFailed(PAYMENT_FAILED)
  return orderOfPayment(db, decided.id)
}

/** The usual case, in one statement: the stock is reserved, and the amount is the right one. */
const completeReserved = (
  db: Database,
  { provider, retrySeconds }: PaymentContext,
  report: Report,
) =>
  captureAndPlace(db, {
    providerOrderId: report.providerOrderId,
    provider: provider.name,
    buyerId: report.buyerId,
    from: ['created'],
    money: moneyOf(report),
    isExpected: false,
    orderId: uuidv7(),
    retrySeconds,
  }).catch((error) => {
    // the money is known already, for another payment
    if (isUniqueViolation(error)) return undefined
    throw error
  })

const messageOf = ({ state, refusal }: Payment) =>
  refusal === null ? PAYMENT_FAILED : refusalMessage({ state, refusal })

const DECIDED: FailureCode[] = ['payment_failed', 'out_of_stock', 'price_changed']

/** Whether the error is a decision: the money is kept undecided, or refunded. */
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
  await inTransaction(db, report.reporter, (tx) => storeUndecided(tx, context, report))
  const order = await context.provider.orderOf(providerOrderId)
  return order.isPaid && matchesPrice(order)
}

/** Stores money that cannot be decided on yet, where the payment has none. */
async function storeUndecided(tx: Database, { retrySeconds }: PaymentContext, report: Report) {
  const payment = await lockPayment(tx, report.providerOrderId)
  const known = await selectByProviderPayment(tx, report.providerPaymentId)
  if (!payment || known || payment.provider_payment_id || !UNDECIDED.includes(payment.state)) return
  await storeMoney(tx, payment.id, moneyOf(report), retrySeconds)
}

type CheckedReport = Report & { isExpected: boolean }

/** Decides on the money; answers the row that has it: the payment, or its surplus. */
async function decide(tx: Database, context: PaymentContext, report: CheckedReport) {
  const { providerOrderId, providerPaymentId, buyerId } = report
  const payment = await lockPayment(tx, providerOrderId)
  const isKnown = payment?.provider === context.provider.name
  if (!isKnown || (buyerId !== undefined && buyerId !== payment.user_id))
    throw paymentFailed(PAYMENT_FAILED)
  const former = await selectByProviderPayment(tx, providerPaymentId)
  if (former && former.id !== payment.id && former.surplus_of !== payment.id)
    throw paymentFailed(PAYMENT_FAILED)
  const isConfirmed = former !== undefined && (await confirm(tx, report, former))
  if (!former || (former.id === payment.id && UNDECIDED.includes(payment.state)))
    await decideOnNew(tx, context, payment, report)
  const decided = await selectByProviderPayment(tx, providerPaymentId)
  if (!decided) throw new Error(`The money ${providerPaymentId} was not stored.`)
  if (isConfirmed || (!former && report.paid)) logIssue(context, payment, report, decided)
  if (isConfirmed) await restartPolling(tx, decided.id, context.retrySeconds)
  return decided
}

const confirm = async (tx: Database, { paid, isExpected }: CheckedReport, { id }: Payment) =>
  paid !== undefined && (await confirmCapture(tx, { id, isExpected, ...paid }))

/** Logs money that needs the merchant's attention. */
function logIssue(
  { log }: PaymentContext,
  payment: Payment,
  { paid, isExpected }: CheckedReport,
  money: Payment,
) {
  const { id: paymentId, amount_minor, currency } = payment
  const facts = { paymentId, expected: { amount_minor, currency }, paid, money }
  if (money.issue === 'paid_cancelled') log.error(facts, 'money came in for a cancelled order')
  else if (!isExpected) log.error(facts, 'money of a wrong amount came in')
}

/** Refunds money as a surplus: the payment stays as it is. */
async function refuseSurplus(tx: Database, of: Payment, money: Money, refusal: Refusal) {
  // its id is unique: the payment must not have it any more
  if (of.provider_payment_id === money.id) await removeMoney(tx, of.id)
  await insertSurplus(tx, { id: uuidv7(), of, money, refusal })
}

/** Decides on money that the payment does not have yet. */
async function decideOnNew(
  tx: Database,
  context: PaymentContext,
  payment: Payment,
  report: CheckedReport,
) {
  const money = moneyOf(report)
  const isOver = payment.state === 'failed' && payment.provider_payment_id === null
  // an order has one payment, of the expected amount
  if ((!UNDECIDED.includes(payment.state) && !isOver) || !report.isExpected)
    return refuseSurplus(tx, payment, money, NOTHING_TO_SELL)
  if (isOver) return refuseMoney(tx, payment.id, money, CANCELLED)
  if (await isAccountClosed(tx, payment.user_id)) {
    await refuseOther(tx, payment, money)
    return refuse(tx, payment, money, CANCELLED)
  }
  const quote = await quoteOf(tx, context, payment, report)
  if (quote) {
    await refuseOther(tx, payment, money)
    return sell(tx, context, payment, { ...report, quote })
  }
  // the first money waits for the buyer to name the cart
  if (hasOther(payment, money)) return refuseSurplus(tx, payment, money, NOTHING_TO_SELL)
  await storeMoney(tx, payment.id, money, context.retrySeconds)
}

const hasOther = ({ provider_payment_id: id }: Payment, money: Money) =>
  id !== null && id !== money.id

/** Refunds the undecided money that a payment has already, when other money is decided on. */
async function refuseOther(tx: Database, payment: Payment, money: Money) {
  const { provider_payment_id: id } = payment
  if (id !== null && hasOther(payment, money))
    await refuseSurplus(tx, payment, ownMoney(payment, id), NOTHING_TO_SELL)
}

/**
 * Takes the stock for a payment whose reservation has ended. The prices of the start are honoured for
 * money that the shop learned of within an hour; later they must be today's.
 */
async function takeStockAgain(tx: Database, payment: Payment, { lines }: StoredQuote) {
  await takeStock(tx, lines)
  const honouredUntil = (payment.reserved_until?.getTime() ?? 0) + HONOURED_MS
  const receivedAt = payment.received_at?.getTime() ?? Date.now()
  if (receivedAt <= honouredUntil || (await arePricesOfToday(tx, lines))) return
  throw priceChanged('A price has changed since this payment was started.')
}

/** Places the order, or marks the money for refund when a product is sold out or a price has changed. */
async function sell(
  tx: Database,
  context: PaymentContext,
  payment: Payment,
  { quote, ...report }: CheckedReport & { quote: StoredQuote },
) {
  const money = moneyOf(report)
  try {
    await inSavepoint(tx, async () => {
      if (!isReserved(payment)) await takeStockAgain(tx, payment, quote)
      if (!payment.quote) await setQuote(tx, payment.id, quote)
      const placed = await captureAndPlace(tx, {
        providerOrderId: report.providerOrderId,
        provider: payment.provider,
        from: UNDECIDED,
        money,
        isExpected: true,
        orderId: uuidv7(),
        retrySeconds: context.retrySeconds,
      })
      if (!placed) throw new Error(`The payment ${payment.id} could not be captured.`)
    })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    await refuse(tx, payment, money, {
      refusal_code: error.code === 'price_changed' ? 'price_changed' : 'out_of_stock',
      refusal: error.message,
    })
  }
}

/**
 * What to sell. For a payment without a quote, the cart that the buyer names, which must cost the paid
 * amount today; null when there is none.
 */
async function quoteOf(
  tx: Database,
  { log, currency }: PaymentContext,
  payment: Payment,
  { buyerId, cart = [], providerPaymentId }: Report,
): Promise<StoredQuote | null> {
  if (payment.quote) return payment.quote
  const quote = await quoteCart(tx, currency, { cart }).catch((error) => {
    if (error instanceof Failure) return null
    throw error
  })
  if (quote?.totalMinor === payment.amount_minor)
    return { lines: quote.lines, adjustments: quote.adjustments }
  if (buyerId !== undefined)
    log.warn(
      { paymentId: payment.id, providerPaymentId },
      'a paid amount is not the price of its cart',
    )
  return null
}
