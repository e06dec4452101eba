/** Settlement promises that money is decided on once: kept for its order, or given back. */

import type { Order } from '#app/orders/contract.ts'
import { orderOfPayment, placeOrder } from '#app/orders/server/service.ts'
import { type CartLine, priceCart, takeStock, totalOf } from '#app/products/server/service.ts'
import { Failure, paymentFailed } from '#app/shared/server/failure.ts'
import type { Database, Row } from '#db/schema.ts'
import { PAYMENT_FAILED, type PaymentProof } from '../contract.ts'
import type { Log, PaymentProvider } from './provider.ts'
import {
  bookMoney,
  claimRefund,
  lockPayment,
  markRefunded,
  markSettled,
  type Refusal,
  refuseMoney,
  selectMoney,
  selectPaymentLines,
  undoable,
} from './store.ts'

/** The provider's ids are short; a longer one is nobody's. */
const LONGEST_ID = 200

type Desk = { provider: PaymentProvider; log: Log }

/** Money that the provider is known to hold, and what is known about who claims it. */
type Claim = {
  providerOrderId: string
  providerPaymentId: string
  /** Who says that it is theirs; absent when the provider itself tells of the payment. */
  buyerId?: string
  /** What is to be sold when the payment was started without a cart: one entry a piece. */
  cart?: { _id: string }[]
}

type Payment = Row<'payments'>

/** What becomes of money for an order that had its payment: it is somebody's, but buys nothing. */
const SECOND_PAYMENT: Refusal = {
  state: 'refund_due',
  refusal_code: 'payment_failed',
  refusal: PAYMENT_FAILED,
}

/**
 * Turns a payment that the browser reports into its order. Throws `payment_failed` unless the
 * provider signed it, and whatever `completePayment` throws.
 */
export async function verifyPayment(
  db: Database,
  desk: Desk,
  { buyerId, cart, proof }: { buyerId: string; cart?: { _id: string }[]; proof: PaymentProof },
): Promise<Order> {
  const { razorpay_order_id: providerOrderId, razorpay_payment_id: providerPaymentId } = proof
  if (providerPaymentId.length > LONGEST_ID || !desk.provider.verifySignature(proof))
    throw paymentFailed(PAYMENT_FAILED)
  return completePayment(db, desk, { providerOrderId, providerPaymentId, buyerId, cart })
}

/**
 * Decides on money that came in, once, however often and by whomever it is reported: the browser,
 * or the provider itself. Answers the order that it made. Throws `payment_failed` when there is
 * nothing to sell for it, and `out_of_stock` when that is sold out meanwhile; then, and when the
 * payment had its order before, the money goes back.
 */
export async function completePayment(db: Database, desk: Desk, claim: Claim): Promise<Order> {
  const decided = await db.transaction().execute((tx) => decide(tx, desk, claim))
  if (decided.state === 'refund_due') await giveBack(db, desk, decided.id)
  if (decided.refusal_code) throw new Failure(decided.refusal_code, decided.refusal ?? '')
  return orderOfPayment(db, decided.payment_id)
}

/** Books the money once and decides on it then; answers what was decided, now or before. */
async function decide(tx: Database, desk: Desk, claim: Claim) {
  const { providerOrderId, providerPaymentId, buyerId } = claim
  const payment = await lockPayment(tx, providerOrderId)
  const known = payment?.provider === desk.provider.name
  if (!known || (buyerId !== undefined && buyerId !== payment.user_id))
    throw paymentFailed(PAYMENT_FAILED)
  const money = { id: providerPaymentId, payment_id: payment.id }
  if (payment.settled_at) await bookMoney(tx, { ...money, ...SECOND_PAYMENT })
  else if (await bookMoney(tx, money)) await sell(tx, desk, payment, claim)
  const booked = await selectMoney(tx, providerPaymentId)
  if (booked.payment_id !== payment.id) throw paymentFailed(PAYMENT_FAILED)
  return booked
}

/** Makes the order and takes the stock; what is sold out makes neither, and the money is to go back. */
async function sell(tx: Database, desk: Desk, payment: Payment, claim: Claim) {
  const lines = await linesOf(tx, desk, payment, claim)
  await markSettled(tx, payment.id)
  try {
    await undoable(tx, async () => {
      await takeStock(tx, lines)
      await placeOrder(tx, { paymentId: payment.id, buyerId: payment.user_id, lines })
    })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    await refuseMoney(tx, claim.providerPaymentId, {
      state: 'refund_due',
      refusal_code: 'out_of_stock',
      refusal: `${error.message} Your money goes back to you.`,
    })
  }
}

/** What the payment is for. Started with an amount only, the cart must cost just that today. */
async function linesOf(
  tx: Database,
  { log }: Desk,
  payment: Payment,
  { cart = [], providerPaymentId }: Claim,
): Promise<CartLine[]> {
  if (payment.priced_cart) return selectPaymentLines(tx, payment.id)
  const ids = cart.map(({ _id }) => _id)
  const lines = await priceCart(tx, ids).catch((error) => {
    if (error instanceof Failure) return []
    throw error
  })
  if (totalOf(lines) === payment.amount_minor) return lines
  // nothing is written, so that the right cart may still come; the merchant hears of the money
  log.warn(
    { paymentId: payment.id, providerPaymentId },
    'a paid amount is not the price of its cart',
  )
  throw paymentFailed(PAYMENT_FAILED)
}

/**
 * Gives money back that is due, for one taker at a time; what fails stays due and may be tried
 * again after five minutes. Throws nothing of the provider's.
 */
async function giveBack(db: Database, { provider, log }: Desk, providerPaymentId: string) {
  const due = await claimRefund(db, providerPaymentId)
  if (!due) return
  try {
    await provider.refund(providerPaymentId, due.amount_minor)
  } catch (error) {
    log.error({ err: error, providerPaymentId }, 'a refund failed and is still due')
    return
  }
  await markRefunded(db, providerPaymentId)
}
