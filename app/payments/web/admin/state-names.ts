import type { PaymentState } from '#app/payments/admin-contract.ts'

/** The states in the merchant's words. */
export const STATE_NAMES: Record<PaymentState, string> = {
  refund_due: 'Refund due',
  unknown: 'Unknown here',
  lapsed: 'Never captured',
  other_amount: 'Another amount',
  paid_cancelled: 'Paid, order cancelled',
  unclaimed: 'Unclaimed money',
  uncaptured: 'Not captured yet',
  refunding: 'Refund under way',
  started: 'Not paid yet',
  refunded: 'Refunded',
  never_came: 'Never came in',
  given_back: 'Given back, with an order',
  handled: 'Unknown, settled',
  seen_to: 'Seen to',
}
