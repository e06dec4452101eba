import { sql } from 'kysely'
import type { PaymentState } from '#app/payments/admin-contract.ts'
import type { Database } from '#db/schema.ts'

/** Seen to is what became known, or went back. */
const STATE = sql<PaymentState>`
  case when known.id is null and money.given_back_minor < money.amount_minor
    then 'unknown' else 'handled' end`

const nothing = sql<string | null>`null::text`

/** Money that the provider has for an order that is not here, or was not when it was reported. */
export const unknown = (db: Database, states: PaymentState[]) =>
  db
    .selectFrom('unknown_money as money')
    .leftJoin('provider_payments as known', 'known.id', 'money.id')
    .leftJoin('payments', 'payments.id', 'known.payment_id')
    .where(STATE, 'in', states)
    .select([
      'money.id',
      STATE.as('state'),
      sql<string | null>`payments.id`.as('payment_id'),
      sql<string | null>`payments.user_id`.as('user_id'),
      ...(['money.amount_minor', 'money.currency', 'money.paid_at as created_at'] as const),
      'money.given_back_minor',
      sql<string | null>`money.provider_order_id`.as('provider_order_id'),
      sql<string | null>`money.id`.as('provider_payment_id'),
      'money.receipt',
      nothing.as('reason'),
      sql<number>`0`.as('tries'),
      sql<Date | null>`null::timestamptz`.as('next_at'),
      nothing.as('last_error'),
      sql<Date | null>`null::timestamptz`.as('held_until'),
    ])
