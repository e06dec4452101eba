import type { ListedPayment } from '#app/payments/admin-contract.ts'
import { toMajor } from '#app/shared/model/minor-units.ts'
import { refusalMessage } from '../presenter.ts'
import type { PaymentRow } from './list-store.ts'

/** States in which nothing is left to do for the money; its payment may still be polled. */
const OVER = ['refunded', 'voided']

/** The next attempt; undecided money without a cart is refunded when its reservation time is over. */
function nextAttempt(row: PaymentRow, reservationMinutes: number): Date | null {
  const { listed_state, unclaimed_since, next_attempt_at } = row
  if (listed_state === 'unmatched' && unclaimed_since)
    return new Date(unclaimed_since.getTime() + reservationMinutes * 60_000)
  if (OVER.includes(listed_state)) return null
  return next_attempt_at
}

const buyerOf = ({ user_id, name, email }: PaymentRow): ListedPayment['buyer'] =>
  user_id === null || name === null || email === null ? null : { _id: user_id, name, email }

const orderOf = ({ order_id, order_number }: PaymentRow): ListedPayment['order'] =>
  order_id === null || order_number === null ? null : { _id: order_id, number: order_number }

const reasonOf = ({ listed_state: state, refusal, failure }: PaymentRow) =>
  refusal === null ? (state === 'started' ? failure : null) : refusalMessage({ state, refusal })

export function presentPayment(row: PaymentRow, reservationMinutes: number): ListedPayment {
  return {
    _id: row.id,
    paymentId: row.payment_id,
    state: row.listed_state,
    order: orderOf(row),
    buyer: buyerOf(row),
    amount: toMajor(row.paid_minor, row.paid_currency),
    currency: row.paid_currency,
    refunded: toMajor(row.refunded_minor, row.paid_currency),
    createdAt: row.listed_at.toISOString(),
    payment: {
      razorpay_order_id: row.provider_order_id,
      razorpay_payment_id: row.provider_payment_id,
    },
    reason: reasonOf(row),
    attempts: row.attempts,
    nextAt: nextAttempt(row, reservationMinutes)?.toISOString() ?? null,
    lastError: row.last_error,
    reservedUntil: row.reserved_until?.toISOString() ?? null,
    dueDate: row.due_date,
    isReminded: row.is_reminded,
    resolvedAt: row.resolved_at?.toISOString() ?? null,
    resolutionNote: row.resolution_note,
  }
}
