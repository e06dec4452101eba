import type { PaymentFilter } from '#app/payments/admin-contract.ts'

export const STATE_NAMES: Record<PaymentFilter, string> = {
  needs_attention: 'Needs attention',
  paid: 'Paid',
  disputed: 'Disputed',
  dispute_lost: 'Dispute lost',
  unknown: 'Unknown order',
  refund_refused: 'Refund refused',
  refund_missing: 'Refund missing',
  refunded_elsewhere: 'Refunded at the provider',
  refund_pending: 'Refund pending',
  expired: 'Never captured',
  amount_mismatch: 'Wrong amount',
  paid_cancelled: 'Order cancelled, money left',
  unmatched: 'Unmatched',
  refunding: 'Refund in progress',
  capture_pending: 'Capture pending',
  started: 'Not paid yet',
  refunded: 'Refunded',
  voided: 'Voided',
  order_refunded: 'Order refunded',
  resolved: 'Resolved',
}
