import { toMajor } from '#app/shared/server/money.ts'
import type { Refund } from '../contract.ts'
import type { RefundRow } from './refund-store.ts'

const REFUND_PROGRESS: Record<string, string> = {
  refunding: 'Your refund is on its way.',
  refunded: 'Your payment was refunded.',
  voided: 'You were not charged.',
}

/** The sentence for the payer of money that bought nothing: why, and how far its refund is. */
export const refusalMessage = ({ state, refusal }: { state: string; refusal: string }) =>
  `${refusal} ${REFUND_PROGRESS[state] ?? 'Your payment will be refunded.'}`

export const presentRefund = (row: RefundRow): Refund => ({
  _id: row.id,
  state: row.state,
  amount: toMajor(row.amount_minor),
  currency: row.currency,
  createdAt: row.received_at.toISOString(),
  reason: refusalMessage(row),
})
