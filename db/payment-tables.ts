import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { PaymentIssue, PaymentState } from './column-types.ts'
import type { StoredAddress, StoredQuote } from './stored-json.ts'

/** What a payment that did not simply pay its order is listed as. */
type ListedState =
  | 'refund_pending'
  | 'refund_refused'
  | 'refunding'
  | 'refunded'
  | 'order_refunded'
  | 'voided'
  | 'unmatched'
  | 'started'
  | 'disputed'
  | 'resolved'
  | PaymentIssue

/** The tables and views of payments. */
export type PaymentTables = {
  payments: {
    id: string
    user_id: string
    surplus_of: string | null
    provider: 'razorpay' | 'sandbox' | 'none'
    state: ColumnType<PaymentState, PaymentState | undefined, PaymentState>
    test: Generated<boolean>
    created_at: Generated<Date>
    amount_minor: number
    currency: string
    quote: JSONColumnType<StoredQuote> | null
    delivery: JSONColumnType<StoredAddress & { text: string }> | null
    reserved_until: Date | null
    public_key: string | null
    provider_order_id: string | null
    failure: string | null
    cancelled_at: Date | null
    network: string | null
    starts: Generated<number>
    provider_payment_id: string | null
    received_at: Date | null
    confirmed_at: Date | null
    paid_minor: number | null
    paid_currency: string | null
    issue: PaymentIssue | null
    resolved_at: Date | null
    resolution_note: string | null
    refusal_code: 'out_of_stock' | 'price_changed' | 'payment_failed' | null
    refusal: string | null
    refund_reason: string | null
    refund_minor: number | null
    refunded_minor: Generated<number>
    refunded_at: Date | null
    refund_id: string | null
    refund_accepted: Generated<boolean>
    refund_attempt: Generated<number>
    refund_refused: Generated<boolean>
    disputed_minor: Generated<number>
    next_attempt_at: Date | null
    attempts: Generated<number>
    last_error: string | null
  }
  disputes: {
    id: string
    payment_id: string
    state: 'open' | 'won' | 'lost' | 'closed'
    created_at: Generated<Date>
  }
  unknown_payments: {
    id: string
    provider_payment_id: string
    provider_order_id: string
    amount_minor: number
    currency: string
    received_at: Generated<Date>
    resolved_at: Date | null
    resolution_note: string | null
  }
  webhook_events: {
    id: string
    received_at: Generated<Date>
  }
  sandbox_payments: {
    id: string
    provider_order_id: string
    refunded_minor: Generated<number>
  }
  /** A view. */
  payment_overview: {
    id: string
    listed_at: Date
    state: ListedState | 'paid'
  }
  /** A view. */
  unknown_payment_overview: {
    id: string
    listed_at: Date
    state: 'unknown' | 'resolved'
  }
  /** A view. */
  payment_exceptions: {
    id: string
    listed_at: Date
    state: ListedState | 'unknown'
  }
  /** A view. */
  payments_needing_attention: {
    id: string
    listed_at: Date
    state: 'refund_pending' | 'refund_refused' | 'disputed' | 'unmatched' | 'unknown' | PaymentIssue
  }
}
