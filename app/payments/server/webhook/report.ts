import { type Static, Type } from 'typebox'
import Value from 'typebox/value'

/** The provider's ids are short and plain; any other is nobody's. */
const ProviderId = Type.String({ maxLength: 200, pattern: '^[\\x21-\\x7e]+$' })

const Amount = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

const Payment = Type.Object({
  id: ProviderId,
  order_id: ProviderId,
  amount: Amount,
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  error_description: Type.Optional(Type.Unknown()),
})
export type ReportedPayment = Static<typeof Payment>

const Refund = Type.Object({ id: ProviderId, payment_id: ProviderId, amount: Amount })

const Entity = Type.Object({ entity: Type.Unknown() })
const Report = Type.Object({
  event: Type.String(),
  payload: Type.Object({ payment: Type.Optional(Entity), refund: Type.Optional(Entity) }),
})

export type Report = {
  event: string
  payment: ReportedPayment | null
  refund: Static<typeof Refund> | null
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
  if (!Value.Check(Report, report)) return null
  const { payment, refund } = report.payload
  return {
    event: report.event,
    payment: Value.Check(Payment, payment?.entity) ? payment.entity : null,
    refund: Value.Check(Refund, refund?.entity) ? refund.entity : null,
  }
}
