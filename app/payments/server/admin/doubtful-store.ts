import { sql } from 'kysely'
import type { PaymentState } from '#app/payments/admin-contract.ts'
import type { Database } from '#db/schema.ts'
import { listedColumns } from './columns-store.ts'

const STATE = sql<PaymentState>`
  case when money.seen_to_at is null then money.doubt else 'seen_to' end`

/** Money that is kept for an order although something speaks against it. */
export const doubtful = (db: Database, states: PaymentState[]) =>
  db
    .selectFrom('provider_payments as money')
    .innerJoin('payments', 'payments.id', 'money.payment_id')
    .leftJoin('payments_needing_attention as attention', 'attention.id', 'money.id')
    .where('money.state', '=', 'kept')
    .where('money.doubt', 'is not', null)
    .where(STATE, 'in', states)
    .where(({ or, eb }) =>
      or([eb('money.seen_to_at', 'is not', null), eb('attention.id', 'is not', null)]),
    )
    .select(
      listedColumns({
        ...{ id: sql.ref<string>('money.id'), state: STATE },
        payment_id: sql.ref('payments.id'),
        user_id: sql.ref('payments.user_id'),
        history_id: sql.ref('payments.id'),
        amount_minor: sql.ref('money.amount_minor'),
        currency: sql.ref('money.currency'),
        given_back_minor: sql.ref('money.given_back_minor'),
        created_at: sql.ref('money.created_at'),
        provider_order_id: sql.ref('payments.provider_order_id'),
        provider_payment_id: sql.ref('money.id'),
        tries: sql.ref('payments.asks'),
        next_at: sql.ref('payments.next_ask_at'),
        last_error: sql.ref('payments.ask_error'),
        seen_to_at: sql.ref('money.seen_to_at'),
        seen_note: sql.ref('money.seen_note'),
      }),
    )
