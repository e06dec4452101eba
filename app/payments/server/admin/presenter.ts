import type { ListedPayment } from '#app/payments/admin-contract.ts'
import { toMajor } from '#app/shared/server/money.ts'
import { refusalMessage } from '../presenter.ts'
import { isReserved } from '../store.ts'
import type { PaymentRow } from './store.ts'

/** States in which nothing is left to do for the money; its payment may still be polled. */
const OVER = ['refunded', 'voided']

/** The next attempt; undecided money without a cart is refunded when its reservation time is over. */
function nextAttempt(row: PaymentRow, reservationMinutes: number): Date | null {
  const { listed_state, received_at, quote, next_attempt_at } = row
  if (listed_state === 'unmatched' && received_at && !quote)
    return new Date(received_at.getTime() + reservationMinutes * 60_000)
  if (OVER.includes(listed_state)) return null
  return next_attempt_at
}

const reasonOf = ({ listed_state: state, refusal, failure }: PaymentRow) =>
  refusal === null ? (state === 'started' ? failure : null) : refusalMessage({ state, refusal })

export function presentPayment(row: PaymentRow, reservationMinutes: number): ListedPayment {
  return {
    _id: row.provider_payment_id ?? row.id,
    paymentId: row.surplus_of ?? row.id,
    state: row.listed_state,
    orderNumber: row.order_number,
    buyer: { _id: row.user_id, name: row.name, email: row.email },
    amount: toMajor(row.paid_minor ?? row.amount_minor),
    currency: row.paid_currency ?? row.currency,
    refunded: toMajor(row.refunded_minor),
    createdAt: row.listed_at.toISOString(),
    payment: {
      razorpay_order_id: row.order_id ?? '',
      razorpay_payment_id: row.provider_payment_id,
    },
    reason: reasonOf(row),
    attempts: row.attempts,
    nextAt: nextAttempt(row, reservationMinutes)?.toISOString() ?? null,
    lastError: row.last_error,
    reservedUntil: (isReserved(row) && row.reserved_until?.toISOString()) || null,
    resolvedAt: row.resolved_at?.toISOString() ?? null,
    resolutionNote: row.resolution_note,
  }
}
