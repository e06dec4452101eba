import { type Static, Type } from 'typebox'
import { fits } from '#app/shared/server/json/fits.ts'

/** The provider's ids are short and plain; any other is nobody's. */
const ProviderId = Type.String({ maxLength: 200, pattern: '^[\\x21-\\x7e]+$' })

const Amount = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const isAmount = fits(Amount)

const Payment = Type.Object({
  id: ProviderId,
  order_id: ProviderId,
  amount: Amount,
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  created_at: Type.Optional(Type.Unknown()),
  amount_refunded: Type.Optional(Type.Unknown()),
  error_description: Type.Optional(Type.Unknown()),
})
const isPayment = fits(Payment)
export type ReportedPayment = Static<typeof Payment>

const Refund = Type.Object({ id: ProviderId, payment_id: ProviderId, amount: Amount })
const isRefund = fits(Refund)
type ReportedRefund = Static<typeof Refund>

/** `receipt` is what the shop has called its payment. */
const Order = Type.Object({ id: ProviderId, receipt: ProviderId })
const isOrder = fits(Order)

/** Until the year 9999. */
const isSeconds = fits(Type.Integer({ minimum: 0, maximum: 253_402_300_799 }))

const Entity = Type.Object({ entity: Type.Unknown() })
const isReport = fits(
  Type.Object({
    event: Type.String(),
    payload: Type.Object({
      payment: Type.Optional(Entity),
      order: Type.Optional(Entity),
      refund: Type.Optional(Entity),
    }),
  }),
)

export type Report = {
  event: string
  payment: ReportedPayment | null
  order: Static<typeof Order> | null
  refund: ReportedRefund | null
}

function parsed(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString())
  } catch {
    return null
  }
}

/** What Razorpay reports, as far as the shop understands it; null when it is no report. */
export function readReport(raw: Buffer): Report | null {
  const report = parsed(raw)
  if (!isReport(report)) return null
  const { payment, order, refund } = report.payload
  return {
    event: report.event,
    payment: isPayment(payment?.entity) ? payment.entity : null,
    order: isOrder(order?.entity) ? order.entity : null,
    refund: isRefund(refund?.entity) ? refund.entity : null,
  }
}

/** The provider counts seconds since 1970; what it does not say is taken to be now. */
export const paidAt = ({ created_at }: ReportedPayment): Date =>
  isSeconds(created_at) ? new Date(created_at * 1000) : new Date()

/** What is back of the payment after this refund, whatever the order of the reports. */
export const refundedBy = (payment: ReportedPayment | null, refund: ReportedRefund): number =>
  payment?.id === refund.payment_id && isAmount(payment.amount_refunded)
    ? payment.amount_refunded
    : refund.amount
