import type { Order } from '../contract.ts'

/** The state of the money, where "Success" alone would mislead. */
function rest({ total, capture, refunded = 0, refundPending, refundReason }: Order): string | null {
  if (refundPending) return 'refund on its way'
  if (refunded > 0) return refunded < total ? 'partly refunded' : 'refunded'
  // a free order has no amount to refund
  if (total === 0 && refundReason !== undefined) return 'refunded'
  if (capture === 'pending') return 'not captured yet'
  return capture === 'missing' ? 'not captured' : null
}

/** Of an order that is paid without a provider, by what came in; as spec §4 has it of another one. */
function outcome({ payment, paymentMethod, total }: Order): string {
  if (paymentMethod && paymentMethod.received < total)
    return paymentMethod.received > 0 ? 'Partly paid' : 'Unpaid'
  return payment.razorpay_payment_id ? 'Success' : 'Failed'
}

/** The payment as spec §4 shows it, "Success" if its id exists, and what became of its money since. */
export const paymentFact = (order: Order): string =>
  [outcome(order), rest(order)].filter((text) => text !== null).join(' · ')
