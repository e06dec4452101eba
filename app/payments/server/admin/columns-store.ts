import { type RawBuilder, sql } from 'kysely'
import type { PaymentState } from '#app/payments/admin-contract.ts'

type Columns = {
  id: string
  state: PaymentState
  payment_id: string | null
  user_id: string | null
  history_id: string
  amount_minor: number
  currency: string
  given_back_minor: number
  created_at: Date
  provider_order_id: string | null
  provider_payment_id: string | null
  receipt: string | null
  reason: string | null
  tries: number
  next_at: Date | null
  last_error: string | null
  held_until: Date | null
  seen_to_at: Date | null
  seen_note: string | null
}

type Expressions = { [Name in keyof Columns]: RawBuilder<Columns[Name]> }

const text = sql<string | null>`null::text`
const time = sql<Date | null>`null::timestamptz`
const id = sql<string | null>`null::uuid`

/** What a kind of payment has nothing of. */
const NOTHING = {
  ...{ payment_id: id, user_id: id, given_back_minor: sql<number>`0::bigint` },
  ...{ provider_payment_id: text, receipt: text, reason: text, tries: sql<number>`0` },
  ...{ next_at: time, last_error: text, held_until: time, seen_to_at: time, seen_note: text },
}

type Given = Omit<Expressions, keyof typeof NOTHING> & Partial<Expressions>

/**
 * The columns of a listed payment, each given by its name, and all in one order: a union joins
 * them by their places.
 */
export function listedColumns(given: Given) {
  const all: Expressions = { ...NOTHING, ...given }
  return [
    ...([all.id.as('id'), all.state.as('state')] as const),
    ...([all.payment_id.as('payment_id'), all.user_id.as('user_id')] as const),
    ...([all.history_id.as('history_id'), all.amount_minor.as('amount_minor')] as const),
    ...([all.currency.as('currency'), all.given_back_minor.as('given_back_minor')] as const),
    ...([all.created_at.as('created_at'), all.receipt.as('receipt')] as const),
    all.provider_order_id.as('provider_order_id'),
    all.provider_payment_id.as('provider_payment_id'),
    ...([all.reason.as('reason'), all.tries.as('tries'), all.next_at.as('next_at')] as const),
    ...([all.last_error.as('last_error'), all.held_until.as('held_until')] as const),
    ...([all.seen_to_at.as('seen_to_at'), all.seen_note.as('seen_note')] as const),
  ] as const
}
