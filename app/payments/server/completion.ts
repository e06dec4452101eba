/**
 * Completion: money is decided on once, also when it is only authorised. It pays for its order, and is captured
 * then; or it is refunded, or never captured.
 */
import { v7 as uuidv7 } from 'uuid'
import type { Order } from '#app/orders/contract.ts'
import { orderOfPayment, presentPlaced } from '#app/orders/server/service.ts'
import type { FailureCode } from '#app/shared/contract/failure.ts'
import { customer } from '#app/shared/server/actor/actor.ts'
import { isUniqueViolation } from '#app/shared/server/database-errors.ts'
import { Failure, paymentFailed, unavailable } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { PAYMENT_FAILED, type PaymentProof } from '../contract.ts'
import { captureAndPlace } from './completion-store.ts'
import type { PaymentContext } from './context.ts'
import { decide, moneyOf, type Report, storeUndecided } from './decision.ts'
import { messageOf } from './presenter.ts'
import type { Amount, Proof } from './providers/provider.ts'
import { refund } from './refunds/refunds.ts'
import {
  ownMoney,
  type Payment,
  restartPolling,
  selectByProviderPayment,
  selectPayment,
} from './store.ts'
import { UNDECIDED } from './transitions.ts'

/** The provider's ids are shorter. */
const MAX_ID_LENGTH = 200

const NOT_CONFIRMED = 'Your payment is not confirmed yet. Please do not pay again.'
const CONFIRM_SECONDS = 60

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
  if (!isOfFormerKey) throw paymentFailed(PAYMENT_FAILED)
  const money = await selectByProviderPayment(db, proof.paymentId)
  const isOpen = money ? UNDECIDED.includes(money.state) : payment.next_attempt_at !== null
  const isOther = money && money.id !== payment.id && money.surplus_of !== payment.id
  if (isOpen && !isOther) throw unavailable(NOT_CONFIRMED, CONFIRM_SECONDS)
  if (!money || isOther) throw paymentFailed(PAYMENT_FAILED)
  if (money.refusal_code) throw new Failure(money.refusal_code, messageOf(money))
  return orderOfPayment(db, money.id)
}

/** The proof in the port's words; the contract's are those of the specification. */
const proofOf = (sent: PaymentProof): Proof => ({
  orderId: sent.razorpay_order_id,
  paymentId: sent.razorpay_payment_id,
  signature: sent.razorpay_signature,
})

/**
 * Turns a payment that the buyer's browser reports into its order. Idempotent. Throws
 * `payment_failed` when the proof is wrong or not the buyer's, and what `completePayment` throws.
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
  report: Report & { isExpected?: boolean },
): Promise<Order> {
  const placed = await completeReserved(db, context, report)
  if (placed) return presentPlaced(placed)
  const isExpected = report.isExpected ?? (await isExpectedAmount(db, context, report))
  const decided = await inTransaction(db, report.reporter, (tx) =>
    decide(tx, context, { ...report, isExpected }),
  )
  // the buyer is told how far it is; otherwise the job does it
  if (decided.state === 'refund_pending' && report.buyerId) await refund(db, context, decided.id)
  if (decided.refusal_code) throw new Failure(decided.refusal_code, messageOf(decided))
  if (UNDECIDED.includes(decided.state)) throw paymentFailed(PAYMENT_FAILED)
  return orderOfPayment(db, decided.id)
}

/**
 * Decides on money that a webhook reports, without a call of the provider: the webhook has to be answered
 * at once. Money of another amount is stored, and decided on by the poll of the provider's order, which
 * is due then. Refunds are made by their job. Throws `payment_failed` for money of another payment.
 */
export async function completeReported(
  db: Database,
  context: PaymentContext,
  report: Report,
): Promise<void> {
  if (await completeReserved(db, context, report)) return
  const payment = await selectPayment(db, report.providerOrderId)
  await inTransaction(db, report.reporter, async (tx) => {
    // the amount of refused money does not matter
    const isRefused = payment?.refusal != null
    if (!payment || isRefused || !paidOtherwise(payment, report))
      return decide(tx, context, { ...report, isExpected: true })
    await storeUndecided(tx, context, report)
    await restartPolling(tx, payment.id, 0)
  })
}

/** The usual case, in one statement: the stock is reserved, and the amount is the right one. */
const completeReserved = (db: Database, { retrySeconds }: PaymentContext, report: Report) =>
  captureAndPlace(db, {
    providerOrderId: report.providerOrderId,
    provider: report.provider.name,
    buyerId: report.buyerId,
    from: ['created'],
    money: moneyOf(report),
    reported: report.paid ?? report.authorised,
    isExpected: false,
    orderId: uuidv7(),
    retrySeconds,
  }).catch((error) => {
    // the money is known already, for another payment
    if (isUniqueViolation(error)) return undefined
    throw error
  })

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
  const { provider, providerOrderId: id, providerPaymentId } = report
  const payment = await selectPayment(db, id)
  if (!payment || !paidOtherwise(payment, report)) return true
  // the money is stored before the provider answers
  await inTransaction(db, report.reporter, (tx) => storeUndecided(tx, context, report))
  const { amount_minor: amountMinor, currency } = payment
  const order = await provider.lookUp({ id, amountMinor, currency })
  const money = order.payments.find((one) => one.id === providerPaymentId)
  return money?.paysOrder === true && matchesPrice(payment, order)
}

/** Whether an amount is the one of a payment. */
export const matchesPrice = (
  payment: Pick<Payment, 'amount_minor' | 'currency'>,
  { amountMinor, currency }: Amount,
) => amountMinor === payment.amount_minor && currency === payment.currency

/** Whether the captured or authorised amount is known, and is another one than the payment's. */
function paidOtherwise(
  payment: Payment,
  { provider, providerPaymentId, paid, authorised }: Report,
): boolean {
  if (payment.provider !== provider.name) return false
  const isUndecided = UNDECIDED.includes(payment.state)
  const isOwn = payment.provider_payment_id === providerPaymentId
  // a proof does not say the amount, which a webhook may have reported before
  const stored = isOwn && isUndecided ? ownMoney(payment, providerPaymentId).captured : undefined
  const reported = paid ?? authorised ?? stored
  // money that is not its own is refused, whatever its amount
  return reported !== undefined && (isOwn || isUndecided) && !matchesPrice(payment, reported)
}
