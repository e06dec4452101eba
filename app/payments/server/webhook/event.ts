import { type Static, Type } from 'typebox'
import { fits } from '#app/shared/server/input/validation.ts'

/** An id of the provider: printable ASCII. */
const ProviderId = Type.String({ maxLength: 200, pattern: '^[\\x21-\\x7e]+$' })

const Amount = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const isAmount = fits(Amount)

const Payment = Type.Object({
  id: ProviderId,
  order_id: ProviderId,
  amount: Amount,
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  amount_refunded: Type.Optional(Type.Unknown()),
  captured: Type.Optional(Type.Unknown()),
  error_description: Type.Optional(Type.Unknown()),
})
const isPayment = fits(Payment)
export type ReportedPayment = Static<typeof Payment>

const Refund = Type.Object({ id: ProviderId, payment_id: ProviderId, amount: Amount })
const isRefund = fits(Refund)
type ReportedRefund = Static<typeof Refund>

const Dispute = Type.Object({
  id: ProviderId,
  payment_id: ProviderId,
  amount: Amount,
  status: Type.String(),
  amount_deducted: Type.Optional(Type.Unknown()),
})
const isDispute = fits(Dispute)
export type ReportedDispute = Static<typeof Dispute>

/** `receipt` is the shop's id of its payment. */
const Order = Type.Object({ id: ProviderId, receipt: ProviderId })
const isOrder = fits(Order)

const Entity = Type.Object({ entity: Type.Unknown() })
const isEvent = fits(
  Type.Object({
    event: Type.String(),
    payload: Type.Object({
      payment: Type.Optional(Entity),
      order: Type.Optional(Entity),
      refund: Type.Optional(Entity),
      dispute: Type.Optional(Entity),
    }),
  }),
)

export type WebhookEvent = {
  event: string
  payment: ReportedPayment | null
  order: Static<typeof Order> | null
  refund: ReportedRefund | null
  dispute: ReportedDispute | null
}

function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString())
  } catch {
    return null
  }
}

/** Parses an event of Razorpay; null when it is malformed. Entities of another shape are null. */
export function parseEvent(raw: Buffer): WebhookEvent | null {
  const event = parseJson(raw)
  if (!isEvent(event)) return null
  const { payment, order, refund, dispute } = event.payload
  return {
    event: event.event,
    payment: isPayment(payment?.entity) ? payment.entity : null,
    order: isOrder(order?.entity) ? order.entity : null,
    refund: isRefund(refund?.entity) ? refund.entity : null,
    dispute: isDispute(dispute?.entity) ? dispute.entity : null,
  }
}

/** The amount that a lost dispute took back, in minor units. */
export const deductedBy = ({ amount, amount_deducted }: ReportedDispute): number =>
  isAmount(amount_deducted) ? amount_deducted : amount

/** The refunded part of the payment after this refund, in minor units. */
export const refundedBy = (payment: ReportedPayment | null, refund: ReportedRefund): number =>
  payment?.id === refund.payment_id && isAmount(payment.amount_refunded)
    ? payment.amount_refunded
    : refund.amount
