import { sql } from 'kysely'
import type { PaymentState } from '#app/payments/admin-contract.ts'
import type { Database } from '#db/schema.ts'
import { listedColumns } from './columns-store.ts'

/** Done with is what became known, or went back, or what a person says so of. */
const STATE = sql<PaymentState>`
  case when attention.id is not null then 'unknown'
    when known.id is not null or money.given_back_minor >= money.amount_minor then 'handled'
    else 'seen_to' end`

/** Money that the provider has for an order that is not here, or was not when it was reported. */
export const unknown = (db: Database, states: PaymentState[]) =>
  db
    .selectFrom('unknown_money as money')
    .leftJoin('provider_payments as known', 'known.id', 'money.id')
    .leftJoin('payments_needing_attention as attention', (join) =>
      join.onRef('attention.id', '=', 'money.id').on('attention.state', '=', 'unknown'),
    )
    .leftJoin('payments', 'payments.id', 'known.payment_id')
    .where(STATE, 'in', states)
    .select(
      listedColumns({
        ...{ id: sql.ref<string>('money.id'), state: STATE },
        payment_id: sql.ref('payments.id'),
        user_id: sql.ref('payments.user_id'),
        history_id: sql.ref('money.object_id'),
        amount_minor: sql.ref('money.amount_minor'),
        currency: sql.ref('money.currency'),
        given_back_minor: sql.ref('money.given_back_minor'),
        created_at: sql.ref('money.paid_at'),
        provider_order_id: sql.ref('money.provider_order_id'),
        provider_payment_id: sql.ref('money.id'),
        receipt: sql.ref('money.receipt'),
        seen_to_at: sql.ref('money.seen_to_at'),
        seen_note: sql.ref('money.seen_note'),
      }),
    )
