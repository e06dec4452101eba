/** The webhook of the provider: a signed event takes effect once; an unsigned one is refused. */
import { v7 as uuidv7 } from 'uuid'
import { PROVIDER } from '#app/shared/server/actor/actor.ts'
import { Failure, invalid, unavailable } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { completeReported } from '../completion.ts'
import type { PaymentContext } from '../context.ts'
import { isSigned } from '../providers/signature.ts'
import { noteNotCaptured } from '../reconciliation/reconciliation.ts'
import { expediteRefund, markRefunded, noteRefundElsewhere } from '../refunds/refund-store.ts'
import { withRefundEmails } from '../refunds/refunds.ts'
import { NOTHING_TO_SELL } from '../refusals.ts'
import { refuse } from '../reservations.ts'
import {
  insertSurplus,
  lockPayment,
  removeMoney,
  selectByProviderPayment,
  selectPayment,
} from '../store.ts'
import { PAYABLE, UNDECIDED } from '../transitions.ts'
import { noteDispute } from './dispute-store.ts'
import { parseEvent, type ReportedPayment, refundedBy, type WebhookEvent } from './event.ts'
import {
  deleteOldEvents,
  insertEvent,
  insertUnknown,
  isProcessed,
  noteFailure,
  resolveUnknown,
} from './store.ts'

/** The provider's texts and ids are shorter. */
const MAX_LENGTH = 200

const NOT_SET_UP_SECONDS = 3600

/** Keeps money for an order that this shop does not have, for an admin's review. */
async function storeUnknown(db: Database, { provider, log }: PaymentContext, event: WebhookEvent) {
  const { payment, order } = event
  if (!payment) return
  await insertUnknown(db, uuidv7(), payment)
  const link = provider.paymentLink(payment.id)
  log.error({ payment, order, link }, 'money came in for an order that this shop does not have')
}

async function onPaymentCaptured(db: Database, context: PaymentContext, event: WebhookEvent) {
  const { payment } = event
  if (!payment) return
  const { order_id: providerOrderId, id: providerPaymentId, amount, currency } = payment
  if (!(await selectPayment(db, providerOrderId))) return storeUnknown(db, context, event)
  const paid = { amountMinor: amount, currency }
  const report = { providerOrderId, providerPaymentId, paid, reporter: PROVIDER }
  await completeReported(db, context, report).catch(async (error) => {
    if (!(error instanceof Failure) || error.code === 'unavailable') throw error
    // money of another payment, or of one that was deleted meanwhile
    if (!(await selectPayment(db, providerOrderId))) await storeUnknown(db, context, event)
  })
}

/** An attempt of the buyer failed; the next one may succeed. */
async function onPaymentFailed(db: Database, _context: PaymentContext, { payment }: WebhookEvent) {
  if (!payment) return
  const { error_description: why } = payment
  const failure = typeof why === 'string' && why !== '' ? why : 'The payment failed.'
  // PostgreSQL's text has no NUL
  const stored = failure.replaceAll('\0', '').slice(0, MAX_LENGTH)
  await inTransaction(db, PROVIDER, (tx) => noteFailure(tx, payment.order_id, stored))
}

/**
 * Stores money that was refunded at the provider before an order used it, so that no order does.
 */
async function storeRefunded(
  db: Database,
  { provider }: PaymentContext,
  { id, order_id, amount: amountMinor, currency }: ReportedPayment,
) {
  await inTransaction(db, PROVIDER, async (tx) => {
    const payment = await lockPayment(tx, order_id)
    if (payment?.provider !== provider.name) return
    const { state, provider_payment_id: own } = payment
    const money = { id, captured: { amountMinor, currency } }
    const known = await selectByProviderPayment(tx, id)
    const isOwn = known?.id === payment.id && UNDECIDED.includes(state)
    const isFirst = !known && own === null && PAYABLE.includes(state)
    const isExpected = amountMinor === payment.amount_minor && currency === payment.currency
    if ((isOwn || isFirst) && isExpected) await refuse(tx, payment, money, NOTHING_TO_SELL)
    // the payment stays open for the right amount
    else if (isOwn || !known) {
      if (isOwn) await removeMoney(tx, payment.id)
      await insertSurplus(tx, { id: uuidv7(), of: payment, money, refusal: NOTHING_TO_SELL })
    }
  })
}

/** Notes that the authorised money of a payment was released, and never captured. */
async function onReleased(
  db: Database,
  context: PaymentContext,
  { id, order_id }: ReportedPayment,
) {
  const payment = await selectPayment(db, order_id)
  if (payment)
    await noteNotCaptured(db, context, {
      paymentId: payment.id,
      failed: [],
      refunded: [],
      released: [id],
    })
}

async function onRefundProcessed(
  db: Database,
  context: PaymentContext,
  { payment, refund }: WebhookEvent,
) {
  if (!refund) return
  const { payment_id: id, amount } = refund
  const reported = payment?.id === id ? payment : null
  if (reported?.captured === false) return onReleased(db, context, reported)
  const whole = reported && amount >= reported.amount ? reported : null
  if (whole) await storeRefunded(db, context, whole)
  const money = await selectByProviderPayment(db, id)
  if (!money) return resolveUnknown(db, id, refundedBy(payment, refund))
  await inTransaction(db, PROVIDER, async (tx) => {
    await withRefundEmails(tx, money.id, async () => {
      await noteRefundElsewhere(tx, money.id, refundedBy(payment, refund))
      if (whole)
        await markRefunded(tx, money.id, { amountMinor: whole.amount, refundedMinor: amount })
    })
    // after a refund in part, the provider knows the sum
    if (!whole) await expediteRefund(tx, money.id)
  })
  if (money.state === 'captured')
    context.log.warn(refund, 'money of an order was refunded at the provider')
}

/** The provider is polled for the refund that failed: the event may be of an earlier one. */
async function onRefundFailed(db: Database, _context: PaymentContext, { refund }: WebhookEvent) {
  const money = refund && (await selectByProviderPayment(db, refund.payment_id))
  if (money) await inTransaction(db, PROVIDER, (tx) => expediteRefund(tx, money.id))
}

async function onDispute(db: Database, { log }: PaymentContext, { dispute }: WebhookEvent) {
  if (!dispute) return
  const money = await selectByProviderPayment(db, dispute.payment_id)
  log.warn({ dispute }, 'the bank of a buyer disputes a payment')
  if (money) await inTransaction(db, PROVIDER, (tx) => noteDispute(tx, money.id, dispute))
}

type EventHandler = (db: Database, context: PaymentContext, event: WebhookEvent) => Promise<void>

/** Other events are acknowledged and ignored. */
const HANDLERS: Record<string, EventHandler> = {
  'payment.captured': onPaymentCaptured,
  'order.paid': onPaymentCaptured,
  'payment.failed': onPaymentFailed,
  'refund.processed': onRefundProcessed,
  'refund.failed': onRefundFailed,
  'payment.dispute.created': onDispute,
  'payment.dispute.under_review': onDispute,
  'payment.dispute.action_required': onDispute,
  'payment.dispute.won': onDispute,
  'payment.dispute.lost': onDispute,
  'payment.dispute.closed': onDispute,
}

type Delivery = { raw: Buffer; signature: string; eventId: string }

/**
 * Processes a delivery; they may come in any order and any number of times. Throws `invalid` when it
 * is not signed with one of the secrets, and `unavailable` when there is no secret.
 */
export async function processWebhook(
  db: Database,
  context: PaymentContext,
  { secrets, raw, signature, eventId }: Delivery & { secrets: string[] },
): Promise<void> {
  if (secrets.length === 0) {
    const message = 'Webhooks are disabled: RAZORPAY_WEBHOOK_SECRET is not set.'
    throw unavailable(message, NOT_SET_UP_SECONDS)
  }
  if (!isSigned(secrets, raw, signature)) throw invalid('The signature is invalid.')
  const hasId = eventId !== '' && eventId.length <= MAX_LENGTH
  if (hasId && (await isProcessed(db, eventId))) return
  const event = parseEvent(raw)
  if (!event) context.log.warn({ eventId, bytes: raw.length }, 'a signed webhook is malformed')
  const handler = event && Object.hasOwn(HANDLERS, event.event) && HANDLERS[event.event]
  if (event && handler) await handler(db, context, event)
  // after its effect: an event that was interrupted is processed again
  if (hasId) await insertEvent(db, eventId)
}

/** The provider repeats no event after 30 days. */
export const forgetOldEvents = (db: Database) => deleteOldEvents(db)
