/** Settlement promises that money is decided on once: kept for its order, or given back. */
import type { Order } from '#app/orders/contract.ts'
import { orderOfPayment, placeOrder } from '#app/orders/server/service.ts'
import { type CartLine, priceCart, takeStock, totalOf } from '#app/products/server/service.ts'
import { type Actor, customer } from '#app/shared/server/actor/actor.ts'
import { Failure, paymentFailed } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database, Row } from '#db/schema.ts'
import { PAYMENT_FAILED, type PaymentProof } from '../contract.ts'
import type { Desk } from './desk.ts'
import { consumeHold } from './holds.ts'
import { giveBack, toldOf } from './refunds.ts'
import {
  bookMoney,
  keepMoney,
  lockPayment,
  markSettled,
  type Refusal,
  refuseMoney,
  selectMoney,
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
  /** What came in, where the provider says so; in minor units. */
  paid?: { amountMinor: number; currency: string }
}

type Payment = Row<'payments'>

/** What becomes of money for an order that had its payment: it is somebody's, but buys nothing. */
const SECOND_PAYMENT: Refusal = { refusal_code: 'payment_failed', refusal: PAYMENT_FAILED }

/** And of money that is not what was asked for. */
const WRONG_AMOUNT: Refusal = {
  refusal_code: 'payment_failed',
  refusal: `${PAYMENT_FAILED}. Your money goes back to you.`,
}

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
 * nothing to sell for it, and `out_of_stock` when that is sold out meanwhile; then, and when the
 * payment had its order before, the money goes back. Money that nobody has said the purpose of
 * waits for who does.
 */
export async function completePayment(db: Database, desk: Desk, claim: Claim): Promise<Order> {
  const decided = await inTransaction(db, claim.reporter, (tx) => decide(tx, desk, claim))
  if (decided.state === 'refund_due') await giveBack(db, desk, decided.id)
  if (decided.refusal_code) throw new Failure(decided.refusal_code, toldOf(decided) ?? '')
  if (decided.state === 'unclaimed') throw paymentFailed(PAYMENT_FAILED)
  return orderOfPayment(db, decided.payment_id)
}

/** Books the money once and decides on it then; answers what was decided, now or before. */
async function decide(tx: Database, desk: Desk, claim: Claim) {
  const { providerOrderId, providerPaymentId: id, buyerId } = claim
  const payment = await lockPayment(tx, providerOrderId)
  const known = payment?.provider === desk.provider.name
  if (!known || (buyerId !== undefined && buyerId !== payment.user_id))
    throw paymentFailed(PAYMENT_FAILED)
  const { amountMinor: amount_minor = payment.amount_minor, currency = payment.currency } =
    claim.paid ?? {}
  await bookMoney(tx, { id, payment_id: payment.id, amount_minor, currency })
  const booked = await selectMoney(tx, id)
  if (booked.payment_id !== payment.id) throw paymentFailed(PAYMENT_FAILED)
  if (booked.state !== 'unclaimed') return booked
  if (payment.settled_at) await refuseMoney(tx, id, SECOND_PAYMENT)
  else if (isAsAsked(desk, payment, { id, amount_minor, currency })) {
    await sell(tx, desk, payment, claim)
  } else await refuseMoney(tx, id, WRONG_AMOUNT)
  return selectMoney(tx, id)
}

type Money = Pick<Row<'provider_payments'>, 'id' | 'amount_minor' | 'currency'>

/** Whether just that came in which was asked for; the merchant hears of anything else. */
function isAsAsked({ log }: Desk, payment: Payment, money: Money): boolean {
  const { amount_minor, currency } = payment
  if (money.amount_minor === amount_minor && money.currency === currency) return true
  log.error({ paymentId: payment.id, asked: { amount_minor, currency }, money }, 'a wrong amount')
  return false
}

/** Makes the order; what is sold out makes none, and the money is to go back. */
async function sell(tx: Database, desk: Desk, payment: Payment, claim: Claim) {
  const { providerPaymentId: id } = claim
  const lines = await linesOf(tx, desk, payment, claim)
  if (!lines) return
  await markSettled(tx, payment.id)
  try {
    await undoable(tx, async () => {
      const sold = { paymentId: payment.id, userId: payment.user_id, lines }
      // what is held is out of the stock already
      if (!(await consumeHold(tx, sold))) await takeStock(tx, lines)
      await keepMoney(tx, id)
      await placeOrder(tx, { paymentId: payment.id, buyerId: payment.user_id, lines })
    })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    await refuseMoney(tx, id, {
      refusal_code: 'out_of_stock',
      refusal: `${error.message} Your money goes back to you.`,
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
