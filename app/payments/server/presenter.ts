import { toMajor } from '#app/shared/server/minor-units.ts'
import type { Row } from '#db/schema.ts'
import { PAYMENT_FAILED } from '../contract.ts'
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

type Decided = Pick<Row<'payments'>, 'state' | 'refund_accepted' | 'refund_refused' | 'refusal'>

/** The sentence for the payer of a payment that was decided on. */
export function messageOf({ state, refund_accepted, refund_refused, refusal }: Decided): string {
  if (refusal === null) return PAYMENT_FAILED
  if (state === 'failed') return refusalMessage({ state: 'voided', refusal })
  if (state === 'refund_pending' && refund_refused)
    return refusalMessage({ state: 'refund_refused', refusal })
  return refusalMessage({ state: refund_accepted ? 'refunding' : state, refusal })
}

export const presentRefund = (row: RefundRow): Refund => ({
  _id: row.id,
  state: row.state,
  amount: toMajor(row.amount_minor),
  currency: row.currency,
  createdAt: row.received_at.toISOString(),
  reason: refusalMessage(row),
})
