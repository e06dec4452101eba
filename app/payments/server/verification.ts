/** A payment that the buyer's browser reports, with the provider's proof. */
import type { Order } from '#app/orders/contract.ts'
import { orderOfPayment } from '#app/orders/server/service.ts'
import { customer } from '#app/shared/server/actor/actor.ts'
import { Failure, paymentFailed, unavailable } from '#app/shared/server/failure.ts'
import type { Database } from '#db/schema.ts'
import { PAYMENT_FAILED, type PaymentProof } from '../contract.ts'
import { type Capture, selectCapture } from './capture-store.ts'
import { completePayment } from './completion.ts'
import type { PaymentContext } from './context.ts'
import { refusalMessage } from './presenter.ts'
import type { Proof } from './providers/provider.ts'
import { pollPayment } from './reconciliation/reconciliation.ts'
import { selectReturnState } from './refunds/refund-list-store.ts'
import { refundCapture } from './refunds/refunds.ts'
import { selectPayment } from './store.ts'

/** The provider's ids are shorter. */
const MAX_ID_LENGTH = 200

const NOT_CONFIRMED = 'Your payment is not confirmed yet. Please do not pay again.'
const CONFIRM_SECONDS = 60

/** Why money goes back, and how far it is. */
async function failureOf(db: Database, { id, refusal, refusal_code }: Capture): Promise<Failure> {
  if (!refusal_code || refusal === null) return paymentFailed(PAYMENT_FAILED)
  const state = await selectReturnState(db, id)
  return new Failure(refusal_code, refusalMessage({ state, refusal }))
}

/** The order that money paid for. Throws `payment_failed`, `out_of_stock` or `price_changed` where it goes back. */
async function orderOf(db: Database, capture: Capture): Promise<Order> {
  const { payment_id, purpose } = capture
  if (purpose !== 'order' || payment_id === null) throw await failureOf(db, capture)
  return orderOfPayment(db, payment_id)
}

/**
 * The order of a proof that today's key did not sign. A payment that was started with a former key may have a
 * right one: the webhook or a poll decides on its money, and this only answers what they decided. Throws
 * `unavailable` until then, so that the browser keeps the proof. The provider is not called.
 */
async function decidedOtherwise(
  db: Database,
  { providers }: PaymentContext,
  { buyerId, proof }: { buyerId: string; proof: Proof },
): Promise<Order> {
  const payment = await selectPayment(db, proof.orderId)
  const provider = payment && providers.get(payment.provider)
  const isOfFormerKey =
    payment?.user_id === buyerId && provider && payment.public_key !== provider.publicKey
  const capture = await selectCapture(db, proof.paymentId)
  if (!isOfFormerKey || (capture && capture.payment_id !== payment.id))
    throw paymentFailed(PAYMENT_FAILED)
  const isOpen = capture ? capture.purpose === 'undecided' : payment.next_attempt_at !== null
  if (isOpen) throw unavailable(NOT_CONFIRMED, CONFIRM_SECONDS)
  if (!capture) throw paymentFailed(PAYMENT_FAILED)
  return orderOf(db, capture)
}

/** The proof in the port's words; the contract's are those of the specification. */
const proofOf = (sent: PaymentProof): Proof => ({
  orderId: sent.razorpay_order_id,
  paymentId: sent.razorpay_payment_id,
  signature: sent.razorpay_signature,
})

/** Asks the provider for money that bought nothing, and refunds it where it was captured. */
async function returnMoney(db: Database, context: PaymentContext, capture: Capture) {
  if (!capture.confirmed_at && capture.payment_id)
    await pollPayment(db, context, capture.payment_id)
  await refundCapture(db, context, capture.id)
}

/**
 * Turns a payment that the buyer's browser reports into its order. Idempotent. Throws `payment_failed` when
 * the proof is wrong or not the buyer's, when its buyer has cancelled it or it has its order already,
 * `out_of_stock` when a product is sold out meanwhile, and `price_changed` when the prices of the start are no
 * longer honoured: then the money goes back. Throws `unavailable` as `completePayment` does.
 */
export async function verifyPayment(
  db: Database,
  context: PaymentContext,
  { buyerId, cart, ...sent }: { buyerId: string; cart?: { _id: string }[]; proof: PaymentProof },
): Promise<Order> {
  const proof = proofOf(sent.proof)
  const { orderId: providerOrderId, paymentId: providerPaymentId } = proof
  if (providerPaymentId.length > MAX_ID_LENGTH) throw paymentFailed(PAYMENT_FAILED)
  // without a statement that reads the payment; what is decided on has to be of this provider
  const provider = context.providers.all.find((one) => one.verify(proof))
  if (!provider) return decidedOtherwise(db, context, { buyerId, proof })
  const report = { provider, providerOrderId, providerPaymentId, buyerId, cart }
  const completed = await completePayment(db, context, { ...report, reporter: customer(buyerId) })
  if (!completed) throw paymentFailed(PAYMENT_FAILED)
  if ('order' in completed) return completed.order
  if (completed.capture.purpose !== 'nothing') return orderOf(db, completed.capture)
  const failure = await failureOf(db, completed.capture)
  // at once, because the buyer looks; otherwise the jobs do it
  await returnMoney(db, context, completed.capture)
  throw failure
}
