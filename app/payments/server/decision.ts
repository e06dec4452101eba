/** Decisions on money that the one statement of completion does not cover. */
import { v7 as uuidv7 } from 'uuid'
import { quoteCart, storedQuote, totalOfToday } from '#app/checkout/server/service.ts'
import { reserveCoupons } from '#app/coupons/server/uses.ts'
import { takeStock } from '#app/products/server/service.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { Failure, paymentFailed, priceChanged } from '#app/shared/server/failure.ts'
import type { Database, StoredQuote } from '#db/schema.ts'
import { PAYMENT_FAILED } from '../contract.ts'
import { captureAndPlace, setQuote } from './completion-store.ts'
import type { OpenProvider, PaymentContext } from './context.ts'
import type { Amount } from './providers/provider.ts'
import { CANCELLED, NOTHING_TO_SELL } from './refusals.ts'
import { refuse } from './reservations.ts'
import {
  confirmCapture,
  inSavepoint,
  insertSurplus,
  isAccountClosed,
  isReserved,
  lockPayment,
  type Money,
  ownMoney,
  type Payment,
  refuseMoney,
  removeMoney,
  restartPolling,
  selectByProviderPayment,
  storeMoney,
} from './store.ts'
import { UNDECIDED } from './transitions.ts'

/** How long the prices of the start are honoured after its reservation has expired. */
const HONOURED_MS = 60 * 60_000

/** A report that a payment of the provider's order was made. */
export type Report = {
  /** The provider that reports it, or signed its proof. */
  provider: OpenProvider
  providerOrderId: string
  providerPaymentId: string
  /** The reporter. */
  reporter: Actor
  /** The user whose browser reports it; absent when the provider does. */
  buyerId?: string
  /** The cart of a payment that was started without one: one entry a piece. */
  cart?: { _id: string }[]
  /** The captured amount, where the provider reports it; a signed proof may be of an authorisation. */
  paid?: Amount
  /** The authorised amount, where the provider reports it. */
  authorised?: Amount
}

export const moneyOf = ({ provider, providerPaymentId, paid }: Report): Money => ({
  id: providerPaymentId,
  captured: paid,
  isAuthorised: paid === undefined && provider.capture !== undefined,
})

/** The money of a report, of which the payment may know already that it is captured. */
function moneyFor(payment: Payment, report: Report): Money {
  const money = moneyOf(report)
  const isKnown = payment.provider_payment_id === money.id && payment.confirmed_at !== null
  return isKnown ? { ...money, isAuthorised: false } : money
}

/** Stores money that cannot be decided on yet; where the payment has other money, it is refunded. */
export async function storeUndecided(tx: Database, context: PaymentContext, report: Report) {
  const payment = await lockPayment(tx, report.providerOrderId)
  const known = await selectByProviderPayment(tx, report.providerPaymentId)
  if (!payment || known || !UNDECIDED.includes(payment.state)) return
  if (payment.provider_payment_id) await refuseSurplus(tx, context, payment, moneyOf(report))
  else await storeMoney(tx, payment.id, moneyOf(report), context.retrySeconds)
}

type CheckedReport = Report & { isExpected: boolean }

/** Decides on the money; answers the row that has it: the payment, or its surplus. */
export async function decide(tx: Database, context: PaymentContext, report: CheckedReport) {
  const { provider, providerOrderId, providerPaymentId, buyerId } = report
  const payment = await lockPayment(tx, providerOrderId)
  const isKnown = payment?.provider === provider.name
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
  if (isConfirmed) await restartPolling(tx, payment.id, context.retrySeconds)
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

/** Refuses money as a surplus: the payment stays as it is, and is polled for more of it. */
async function refuseSurplus(
  tx: Database,
  { retrySeconds }: PaymentContext,
  of: Payment,
  money: Money,
) {
  // its id is unique: the payment must not have it any more
  if (of.provider_payment_id === money.id) await removeMoney(tx, of.id)
  await insertSurplus(tx, { id: uuidv7(), of, money, refusal: NOTHING_TO_SELL })
  await restartPolling(tx, of.id, retrySeconds)
}

/** Decides on money that the payment does not have yet. */
async function decideOnNew(
  tx: Database,
  context: PaymentContext,
  payment: Payment,
  report: CheckedReport,
) {
  const money = moneyFor(payment, report)
  const isOver = payment.state === 'failed' && payment.provider_payment_id === null
  // an order has one payment, of the expected amount
  if ((!UNDECIDED.includes(payment.state) && !isOver) || !report.isExpected)
    return refuseSurplus(tx, context, payment, money)
  if (isOver) return refuseMoney(tx, payment.id, money, CANCELLED)
  if (await isAccountClosed(tx, payment.user_id)) {
    await refuseOther(tx, context, payment, report)
    return refuse(tx, payment, money, CANCELLED)
  }
  const quote = await quoteOf(tx, context, payment, report)
  if (quote) {
    await refuseOther(tx, context, payment, report)
    return sell(tx, context, payment, { ...report, quote })
  }
  // the first money waits for the buyer to name the cart
  if (hasOther(payment, money)) return refuseSurplus(tx, context, payment, money)
  await storeMoney(tx, payment.id, money, context.retrySeconds)
}

const hasOther = ({ provider_payment_id: id }: Payment, money: Money) =>
  id !== null && id !== money.id

/** Refuses the undecided money that a payment has already, when other money is decided on. */
async function refuseOther(
  tx: Database,
  context: PaymentContext,
  payment: Payment,
  report: Report,
) {
  const { provider_payment_id: id } = payment
  if (id !== null && hasOther(payment, moneyOf(report)))
    await refuseSurplus(tx, context, payment, ownMoney(payment, id, report.provider))
}

/**
 * Takes the stock, and the coupons, for a payment whose reservation has ended. The quote of the start
 * is honoured for money that the shop learned of within an hour; later the cart must cost the same today.
 */
async function takeStockAgain(
  tx: Database,
  { currency }: PaymentContext,
  payment: Payment,
  quote: StoredQuote,
) {
  const { id, user_id: userId, amount_minor, delivery } = payment
  const honouredUntil = (payment.reserved_until?.getTime() ?? 0) + HONOURED_MS
  const receivedAt = payment.received_at?.getTime() ?? Date.now()
  const isHonoured = receivedAt <= honouredUntil
  // before it takes its coupons, which count as used then
  const today = { quote, userId, delivery: delivery ?? undefined }
  const isToday =
    isHonoured ||
    (payment.currency === currency && (await totalOfToday(tx, currency, today)) === amount_minor)
  await reserveCoupons(tx, { id, userId, quote })
  await takeStock(tx, quote.lines)
  if (!isToday) throw priceChanged('A price has changed since this payment was started.')
}

/** Places the order, or refuses the money when a product is sold out or a price has changed. */
async function sell(
  tx: Database,
  context: PaymentContext,
  payment: Payment,
  { quote, ...report }: CheckedReport & { quote: StoredQuote },
) {
  const money = moneyFor(payment, report)
  try {
    await inSavepoint(tx, async () => {
      if (!isReserved(payment)) await takeStockAgain(tx, context, payment, quote)
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
 * The quote to sell. For a payment without one, that of the cart that the buyer names, which must cost the paid
 * amount today; null when there is none, or its total depends on a place that the payment does not have.
 */
async function quoteOf(
  tx: Database,
  { log, currency }: PaymentContext,
  payment: Payment,
  { buyerId, cart = [], providerPaymentId }: Report,
): Promise<StoredQuote | null> {
  if (payment.quote) return payment.quote
  const delivery = payment.delivery ?? undefined
  const quote = await quoteCart(tx, currency, { cart, delivery }).catch((error) => {
    if (error instanceof Failure) return null
    throw error
  })
  const isDeliverable = quote !== null && !quote.missing && !quote.shipping?.refusal
  const isPaid = quote?.totalMinor === payment.amount_minor && payment.currency === currency
  if (isDeliverable && isPaid) return storedQuote(quote)
  if (buyerId !== undefined)
    log.warn(
      { paymentId: payment.id, providerPaymentId },
      'a paid amount is not the price of its cart',
    )
  return null
}
