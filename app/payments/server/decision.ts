/** Decisions on money that the one statement of completion does not cover. */
import { v7 as uuidv7 } from 'uuid'
import { type Quote, quoteCart } from '#app/checkout/server/service.ts'
import { storedQuote, totalOfToday } from '#app/checkout/server/stored-quote.ts'
import { reserveCoupons } from '#app/coupons/server/uses.ts'
import { takeStock } from '#app/products/server/service.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { Failure, priceChanged } from '#app/shared/server/failure.ts'
import type { Database, StoredQuote } from '#db/schema.ts'
import {
  type Capture,
  confirmCapture,
  insertCapture,
  isForCancelled,
  type Money,
  refuseCapture,
  selectCapture,
  selectUndecided,
} from './capture-store.ts'
import { captureAndPlace, setQuote } from './completion-store.ts'
import type { OpenProvider, PaymentContext } from './context.ts'
import type { Amount } from './providers/provider.ts'
import { requestReturn, returnCapture } from './refunds/refund-store.ts'
import { CANCELLED, NOTHING_TO_SELL, type Refusal } from './refusals.ts'
import { end } from './reservations.ts'
import {
  inSavepoint,
  isReserved,
  lockPayment,
  type Payment,
  pollNow,
  restartPolling,
} from './store.ts'
import { PAYABLE } from './transitions.ts'

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
  isCaptured: paid !== undefined,
  isAuthorised: paid === undefined && provider.capture !== undefined,
})

/** The stored money of a report, undecided when it is new; null when it is another payment's. */
async function storeCapture(tx: Database, payment: Payment, report: Report) {
  const { providerPaymentId: id, paid, authorised } = report
  await insertCapture(tx, payment, { id, reported: paid ?? authorised })
  const capture = await captureOf(tx, id)
  return capture.payment_id === payment.id ? capture : null
}

/** Stores money that cannot be decided on yet. */
export async function storeUndecided(tx: Database, report: Report) {
  const payment = await lockPayment(tx, report.providerOrderId)
  if (!payment || !PAYABLE.includes(payment.state)) return
  const capture = await storeCapture(tx, payment, report)
  if (capture) await confirm(tx, { ...report, isExpected: true }, capture)
}

type CheckedReport = Report & { isExpected: boolean }

/** Decides on money once, and answers it; null for money of another payment, or of another buyer's. */
export async function decide(
  tx: Database,
  context: PaymentContext,
  report: CheckedReport,
): Promise<Capture | null> {
  const { provider, providerOrderId, providerPaymentId, buyerId } = report
  const payment = await lockPayment(tx, providerOrderId)
  const isKnown = payment?.provider === provider.name
  if (!isKnown || (buyerId !== undefined && buyerId !== payment.user_id)) return null
  const capture = await storeCapture(tx, payment, report)
  if (!capture) return null
  const isConfirmed = await confirm(tx, report, capture)
  if (capture.purpose === 'undecided') await decideOn(tx, context, { payment, capture, report })
  await requestReturn(tx, capture.id)
  const decided = await captureOf(tx, providerPaymentId)
  const isNews = capture.purpose === 'undecided' && report.paid !== undefined
  if (isConfirmed || isNews) await logIssue(tx, context, payment, report, decided)
  const isRefused = decided.purpose === 'nothing' && decided.confirmed_at === null
  if (capture.purpose === 'undecided' && isRefused) await pollNow(tx, payment.id)
  else if (isConfirmed || capture.purpose === 'undecided')
    await restartPolling(tx, payment.id, context.retrySeconds)
  return decided
}

async function captureOf(db: Database, providerPaymentId: string): Promise<Capture> {
  const capture = await selectCapture(db, providerPaymentId)
  if (!capture) throw new Error(`The money ${providerPaymentId} was not stored.`)
  return capture
}

const confirm = async (
  tx: Database,
  { paid, isExpected }: CheckedReport,
  { id }: Pick<Capture, 'id'>,
) => paid !== undefined && (await confirmCapture(tx, { id, isExpected, ...paid }))

/** Logs money that needs the merchant's attention. */
async function logIssue(
  tx: Database,
  { log }: PaymentContext,
  payment: Payment,
  { paid, isExpected }: CheckedReport,
  money: Capture,
) {
  const { id: paymentId, amount_minor, currency } = payment
  const facts = { paymentId, expected: { amount_minor, currency }, paid, money }
  if (money.purpose === 'order' && (await isForCancelled(tx, money)))
    log.error(facts, 'money came in for a cancelled order')
  else if (!isExpected) log.error(facts, 'money of a wrong amount came in')
}

type Undecided = { payment: Payment; capture: Capture; report: CheckedReport }

/** Money pays for nothing, and neither does a payment that is over. */
async function refuseAll(tx: Database, { payment, capture, report }: Undecided, refusal: Refusal) {
  await refuseCapture(tx, capture.id, refusal, report.provider)
  await end(tx, payment, 'cancelled')
}

/** Other money of the payment goes back when this is decided on. */
async function refuseOthers(tx: Database, { provider }: Report, others: Capture[]) {
  for (const { id } of others) await returnCapture(tx, id, NOTHING_TO_SELL, provider)
}

/** Decides what undecided money pays for; money whose cart is not known yet stays undecided. */
async function decideOn(tx: Database, context: PaymentContext, undecided: Undecided) {
  const { payment, capture, report } = undecided
  const refuse = (refusal: Refusal) => refuseCapture(tx, capture.id, refusal, report.provider)
  if (payment.state === 'cancelled')
    return refuse(payment.cancelled_at ? CANCELLED : NOTHING_TO_SELL)
  // an order has one payment, of the expected amount
  if (payment.state === 'paid' || !report.isExpected) return refuse(NOTHING_TO_SELL)
  const others = (await selectUndecided(tx, payment.id)).filter(({ id }) => id !== capture.id)
  // the closing of the account has taken the contact
  if (payment.buyer === null) {
    await refuseOthers(tx, report, others)
    return refuseAll(tx, undecided, CANCELLED)
  }
  const quote = await quoteOf(tx, context, payment, report)
  if (quote) {
    await refuseOthers(tx, report, others)
    return sell(tx, context, undecided, quote)
  }
  // the first money waits for the buyer to name the cart
  if (others.length > 0) return refuse(NOTHING_TO_SELL)
}

/** Whether a cart costs today what its payment is of. */
const costs = (
  { amount_minor, currency }: Payment,
  today: Pick<Quote, 'totalMinor' | 'currency'> | null,
) => today?.totalMinor === amount_minor && today.currency === currency

/**
 * Takes the stock, and the coupons, for a payment whose reservation has ended. The quote of the start
 * is honoured for money that the shop learned of within an hour; later the cart must cost the same today.
 */
async function takeStockAgain(
  tx: Database,
  { payment, capture: { received_at: receivedAt } }: Undecided,
  quote: StoredQuote,
) {
  const { id, user_id: userId, delivery } = payment
  const honouredUntil = (payment.reserved_until?.getTime() ?? 0) + HONOURED_MS
  const isHonoured = receivedAt.getTime() <= honouredUntil
  // before it takes its coupons, which count as used then
  const today = { quote, userId, delivery: delivery ?? undefined }
  const isToday = isHonoured || costs(payment, await totalOfToday(tx, today))
  await reserveCoupons(tx, { id, userId, quote })
  await takeStock(tx, quote.lines)
  if (!isToday) throw priceChanged('A price has changed since this payment was started.')
}

/** Places the order; the money goes back when a product is sold out or a price has changed. */
async function sell(
  tx: Database,
  context: PaymentContext,
  undecided: Undecided,
  quote: StoredQuote,
) {
  const { payment, capture, report } = undecided
  try {
    await inSavepoint(tx, async () => {
      if (!isReserved(payment)) await takeStockAgain(tx, undecided, quote)
      if (!payment.quote) await setQuote(tx, payment.id, quote)
      const placed = await captureAndPlace(tx, {
        providerOrderId: report.providerOrderId,
        provider: payment.provider,
        from: PAYABLE,
        money: { ...moneyOf(report), ...(capture.confirmed_at && { isAuthorised: false }) },
        isExpected: true,
        orderId: uuidv7(),
        retrySeconds: context.retrySeconds,
      })
      if (!placed) throw new Error(`The payment ${payment.id} could not be captured.`)
    })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    await refuseAll(tx, undecided, {
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
  { log }: PaymentContext,
  payment: Payment,
  { buyerId, cart = [], providerPaymentId }: Report,
): Promise<StoredQuote | null> {
  if (payment.quote) return payment.quote
  const delivery = payment.delivery ?? undefined
  const quote = await quoteCart(tx, { cart, delivery }).catch((error) => {
    if (error instanceof Failure) return null
    throw error
  })
  const isDeliverable = quote !== null && !quote.missing && !quote.shipping?.refusal
  if (isDeliverable && costs(payment, quote)) return storedQuote(quote)
  if (buyerId !== undefined)
    log.warn(
      { paymentId: payment.id, providerPaymentId },
      'a paid amount is not the price of its cart',
    )
  return null
}
