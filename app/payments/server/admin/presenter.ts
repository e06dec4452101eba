import type { ListedPayment } from '#app/payments/admin-contract.ts'
import { toMajor } from '#app/shared/server/money.ts'
import { refusalMessage } from '../presenter.ts'
import type { PaymentRow } from './store.ts'

/** Whether the provider is polled for the payment's order, and not for its refund. */
const isPolled = ({ state, priced_cart }: PaymentRow) =>
  state === 'unmatched'
    ? priced_cart
    : !['refund_pending', 'refunding', 'refunded', 'voided'].includes(state)

/** The next attempt; unmatched money without a cart is refunded when its reservation time is over. */
function scheduleOf(row: PaymentRow, reservationMinutes: number) {
  const { state, created_at, priced_cart } = row
  if (isPolled(row))
    return { nextAt: row.next_poll_at, attempts: row.poll_attempts, error: row.last_poll_error }
  const refund = { attempts: row.refund_attempts ?? 0, error: row.last_refund_error }
  if (state === 'unmatched' && !priced_cart)
    return { ...refund, nextAt: new Date(created_at.getTime() + reservationMinutes * 60_000) }
  return { ...refund, nextAt: row.next_refund_at }
}

const reasonOf = ({ state, refusal, failure }: PaymentRow) =>
  refusal === null ? (state === 'started' ? failure : null) : refusalMessage({ state, refusal })

export function presentPayment(row: PaymentRow, reservationMinutes: number): ListedPayment {
  const { nextAt, attempts, error } = scheduleOf(row, reservationMinutes)
  return {
    _id: row.id,
    paymentId: row.payment_id,
    state: row.state,
    buyer: { _id: row.user_id, name: row.name, email: row.email },
    amount: toMajor(row.amount_minor),
    currency: row.currency,
    refunded: toMajor(row.refunded_minor),
    createdAt: row.created_at.toISOString(),
    payment: {
      razorpay_order_id: row.provider_order_id ?? '',
      razorpay_payment_id: row.provider_payment_id,
    },
    reason: reasonOf(row),
    attempts,
    nextAt: nextAt?.toISOString() ?? null,
    lastError: error,
    reservedUntil: row.reserved_until?.toISOString() ?? null,
    resolvedAt: row.resolved_at?.toISOString() ?? null,
    resolutionNote: row.resolution_note,
  }
}
