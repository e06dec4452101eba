import { toMajor } from '#app/shared/model/minor-units.ts'
import type { Refund } from '../refund-contract.ts'
import type { RefundRow } from './refunds/refund-list-store.ts'

const REFUND_PROGRESS: Record<string, string> = {
  refunding: 'Your refund is on its way.',
  refunded: 'Your payment was refunded.',
  voided: 'It was released: you were not charged.',
  refund_refused: 'It could not be refunded so far. Please contact the shop.',
}

/** The sentence for the payer of money without an order: the reason, and the progress of its refund. */
export const refusalMessage = ({ state, refusal }: { state: string; refusal: string }) =>
  `${refusal} ${REFUND_PROGRESS[state] ?? 'Your payment will be refunded.'}`

export const presentRefund = (row: RefundRow): Refund => ({
  _id: row.id,
  state: row.state,
  amount: toMajor(row.amount_minor, row.currency),
  currency: row.currency,
  createdAt: row.received_at.toISOString(),
  reason: refusalMessage(row),
})
