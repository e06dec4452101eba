/** Settlement promises that money is decided on once: kept for its order, or given back. */
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
import type { Desk } from './desk.ts'
import { consumeHold } from './holds.ts'
import type { Amount } from './providers/provider.ts'
import { beginAsking } from './reconciliation-store.ts'
import { BUYS_NOTHING, GOES_BACK, giveBack, IS_OVER, toldOf } from './refunds.ts'
import {
  bookMoney,
  confirmMoney,
  isOver,
  keepMoney,
  lockPayment,
  markSettled,
  refuseMoney,
  selectMoney,
  selectPayment,
  selectPaymentLines,
  undoable,
} from './store.ts'

/** The provider's ids are short; a longer one is nobody's. */
const LONGEST_ID = 200

/** Money that the provider is known to hold, and what is known about who claims it. */
type Claim = {
  providerOrderId: string
  providerPaymentId: string
  /** By whom it became known. */
  reporter: Actor
  /** Who says that it is theirs; absent when the provider itself tells of the payment. */
  buyerId?: string
  /** What is to be sold when the payment was started without a cart: one entry a piece. */
  cart?: { _id: string }[]
  /** What was captured, where the provider itself says so; of a proof it may only be promised. */
  paid?: Amount
}

type Payment = Row<'payments'>
type Money = Row<'provider_payments'>

/**
 * Turns a payment that the buyer's browser reports into its order, the same one however often it
 * is asked. Throws `payment_failed` when the proof is wrong or not the buyer's, and what
 * `completePayment` throws.
 */
export async function verifyPayment(
  db: Database,
  desk: Desk,
  { buyerId, cart, proof }: { buyerId: string; cart?: { _id: string }[]; proof: PaymentProof },
): Promise<Order> {
  const { razorpay_order_id: providerOrderId, razorpay_payment_id: providerPaymentId } = proof
  if (providerPaymentId.length > LONGEST_ID || !desk.provider.verifySignature(proof))
    throw paymentFailed(PAYMENT_FAILED)
  const claim = { providerOrderId, providerPaymentId, buyerId, cart }
  return completePayment(db, desk, { ...claim, reporter: customer(buyerId) })
}

/**
 * Decides on money that came in, once, however often and by whomever it is reported: the browser,
 * or the provider itself. Answers the order that it made. Throws `payment_failed` when there is
 * nothing to sell for it or its buyer has cancelled it, `out_of_stock` when that is sold out
 * meanwhile, and `price_changed` when it is too late for the prices of its start; then, and when
 * the payment had its order before, the money goes back. Money that nobody has said the purpose of
 * waits for who does. Throws `unavailable` when the provider has to be asked and does not answer,
 * and `not_found` when it will not tell; then the money is booked, and is to be decided on.
 */
export async function completePayment(db: Database, desk: Desk, claim: Claim): Promise<Order> {
  const asAsked = await isAsAsked(db, desk, claim)
  const decided = await inTransaction(db, claim.reporter, (tx) =>
    decide(tx, desk, { ...claim, asAsked }),
  )
  if (decided.state === 'refund_due') await giveBack(db, desk, decided.id)
  if (decided.refusal_code) throw new Failure(decided.refusal_code, toldOf(decided) ?? '')
  if (decided.state === 'unclaimed') throw paymentFailed(PAYMENT_FAILED)
  return orderOfPayment(db, decided.payment_id)
}

const DECIDED: FailureCode[] = ['payment_failed', 'out_of_stock', 'price_changed']

/** Whether the money is decided on all the same: it waits to be claimed, or goes back. */
export const isDecided = (error: unknown): boolean =>
  error instanceof Failure && DECIDED.includes(error.code)

/**
 * Whether the provider's order was paid as the shop has asked for it. It is the order that is judged,
 * whoever reports: its payment may hold a fee or a discount of the provider's. A signed proof is of
 * an order that asks for just what the shop opened it with.
 */
async function isAsAsked(db: Database, desk: Desk, claim: Claim): Promise<boolean> {
  const { providerOrderId, paid } = claim
  if (!paid) return true
  const payment = await selectPayment(db, providerOrderId)
  if (payment?.provider !== desk.provider.name) return true
  const isAsked = ({ amountMinor, currency }: Amount) =>
    amountMinor === payment.amount_minor && currency === payment.currency
  if (isAsked(paid)) return true
  // from now on it is in sight, whatever the provider answers
  await inTransaction(db, claim.reporter, (tx) => book(tx, desk, payment, claim))
  const order = await desk.provider.orderOf(providerOrderId)
  return order.isPaid && isAsked(order)
}

type Judged = Claim & { asAsked: boolean }
/** The moment at which the shop booked the money; it stays the same when settling is tried again. */
type Booked = { bookedAt: Date }

/** Books the money once and decides on it then; answers what was decided, now or before. */
async function decide(tx: Database, desk: Desk, claim: Judged) {
  const { providerOrderId, providerPaymentId: id, buyerId } = claim
  const payment = await lockPayment(tx, providerOrderId)
  const known = payment?.provider === desk.provider.name
  if (!known || (buyerId !== undefined && buyerId !== payment.user_id))
    throw paymentFailed(PAYMENT_FAILED)
  const booked = await book(tx, desk, payment, claim)
  const isConfirmed = await confirm(tx, claim, booked)
  if (booked.state === 'unclaimed')
    await decideOnNew(tx, desk, payment, { ...claim, bookedAt: booked.created_at })
  const decided = await selectMoney(tx, id)
  if (isConfirmed) tellOf(desk, payment, claim, decided)
  if (isConfirmed || decided.state !== booked.state)
    await beginAsking(tx, payment.id, desk.retrySeconds)
  return decided
}

/** Books the money, nobody's yet, unless it is booked; throws when it is another payment's. */
async function book(tx: Database, { retrySeconds }: Desk, payment: Payment, claim: Claim) {
  const { amountMinor: amount_minor = payment.amount_minor, currency = payment.currency } =
    claim.paid ?? {}
  const { providerPaymentId: id } = claim
  const isNew = await bookMoney(tx, { id, payment_id: payment.id, amount_minor, currency })
  if (isNew) await beginAsking(tx, payment.id, retrySeconds)
  const booked = await selectMoney(tx, id)
  if (booked.payment_id !== payment.id) throw paymentFailed(PAYMENT_FAILED)
  return booked
}

const confirm = async (tx: Database, { paid, asAsked }: Judged, { id }: Money) =>
  paid !== undefined &&
  (await confirmMoney(tx, {
    ...{ id, asAsked, amount_minor: paid.amountMinor, currency: paid.currency },
  }))

/** What the merchant has to hear of money that came in. */
function tellOf({ log }: Desk, payment: Payment, { paid, asAsked }: Judged, money: Money) {
  const { id: paymentId, amount_minor, currency } = payment
  const facts = { paymentId, asked: { amount_minor, currency }, paid, money }
  if (money.doubt === 'paid_cancelled') log.error(facts, 'money came in for a cancelled order')
  else if (!asAsked) log.error(facts, 'a wrong amount')
}

/** Decides on money that nobody has decided on. */
async function decideOnNew(tx: Database, desk: Desk, payment: Payment, claim: Judged & Booked) {
  const { providerPaymentId: id, asAsked } = claim
  // an order has one payment, of what was asked for
  if (payment.settled_at || !asAsked) await refuseMoney(tx, id, BUYS_NOTHING)
  else if (await isOver(tx, payment)) {
    await markSettled(tx, payment.id)
    await refuseMoney(tx, id, IS_OVER)
  } else await sell(tx, desk, payment, claim)
}

/**
 * Takes the stock for a payment whose hold has ended. The prices of its start are honoured for
 * money that was booked by `prices_until`; later they must be those of today.
 */
async function takeUnheld(tx: Database, payment: Payment, lines: CartLine[], { bookedAt }: Booked) {
  await takeStock(tx, lines)
  if (bookedAt <= payment.prices_until || (await arePricesOfToday(tx, lines))) return
  throw priceChanged('A price has changed since this payment was started.')
}

/** Makes the order, or marks the money for refund where a product is sold out or a price has changed. */
async function sell(tx: Database, desk: Desk, payment: Payment, claim: Claim & Booked) {
  const { providerPaymentId: id } = claim
  const lines = await linesOf(tx, desk, payment, claim)
  if (!lines) return
  await markSettled(tx, payment.id)
  try {
    await undoable(tx, async () => {
      const sold = { paymentId: payment.id, lines }
      // what is held is out of the stock already
      if (!(await consumeHold(tx, sold))) await takeUnheld(tx, payment, lines, claim)
      await keepMoney(tx, id)
      await placeOrder(tx, {
        paymentId: payment.id,
        buyerId: payment.user_id,
        lines,
        test: payment.test,
      })
    })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    await refuseMoney(tx, id, {
      refusal_code: error.code === 'price_changed' ? 'price_changed' : 'out_of_stock',
      refusal: `${error.message} ${GOES_BACK}`,
    })
  }
}

/**
 * What the payment is for. Started with an amount only, the buyer's cart must cost just that
 * today; null as long as nobody has named such a cart.
 */
async function linesOf(
  tx: Database,
  { log }: Desk,
  payment: Payment,
  { buyerId, cart = [], providerPaymentId }: Claim,
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
