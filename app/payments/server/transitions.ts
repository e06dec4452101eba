import type { Row } from '#db/schema.ts'

export type PaymentState = Row<'payments'>['state']

/**
 * The states that may follow each state of a payment. `0002_nothing_owed.sql` has the same table in a trigger,
 * which refuses any other transition.
 */
export const TRANSITIONS: Record<PaymentState, PaymentState[]> = {
  /** Started, with its stock reserved. */
  created: ['captured', 'refund_pending', 'expired', 'failed'],
  /** Started, with its stock released: it can still be paid, if the stock is there then, or reserved again. */
  expired: ['created', 'captured', 'refund_pending', 'failed'],
  /** Paid, with its order placed. */
  captured: ['refund_pending', 'refunded'],
  /** Money is to be refunded, all of it or a part. An admin may give that up. */
  refund_pending: ['refunded', 'failed', 'captured'],
  /** Refunded, all of it or a part. Another partial refund may follow. */
  refunded: ['refund_pending'],
  /** Over without an order: money that still comes in is refunded. */
  failed: ['refund_pending'],
}

/** The states of a payment that is not decided on. */
export const UNDECIDED: PaymentState[] = ['created', 'expired']

/** The states in which money may come in: the bank of a cancelled payment may still be processing it. */
export const PAYABLE: PaymentState[] = [...UNDECIDED, 'failed']
