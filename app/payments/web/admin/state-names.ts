import type { PaymentState } from '#app/payments/admin-contract.ts'

export const STATE_NAMES: Record<PaymentState, string> = {
  refund_pending: 'Refund pending',
  expired: 'Never captured',
  amount_mismatch: 'Wrong amount',
  paid_cancelled: 'Paid, order cancelled',
  unmatched: 'Unmatched',
  refunding: 'Refund in progress',
  capture_pending: 'Capture pending',
  started: 'Not paid yet',
  refunded: 'Refunded',
  voided: 'Voided',
  order_refunded: 'Order refunded',
  resolved: 'Resolved',
}
