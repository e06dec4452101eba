import { sql } from 'kysely'
import type { PaymentState } from '#app/payments/admin-contract.ts'
import type { Database } from '#db/schema.ts'

const STANDS = sql<boolean>`
  case money.doubt when 'paid_cancelled'
    then orders.status = 'cancel' and money.given_back_minor < money.amount_minor
    else orders.status <> 'cancel' end`

/**
 * Money that is kept for an order although something speaks against it. A cancelled order is done
 * with, unless its money came in afterwards and is not back.
 */
export const doubtful = (db: Database, states: PaymentState[]) =>
  db
    .selectFrom('provider_payments as money')
    .innerJoin('payments', 'payments.id', 'money.payment_id')
    .innerJoin('orders', 'orders.payment_id', 'money.payment_id')
    .where('money.state', '=', 'kept')
    .where('money.doubt', 'is not', null)
    .where(sql<string>`money.doubt`, 'in', states)
    .where(STANDS)
    .select([
      'money.id',
      sql<PaymentState>`money.doubt`.as('state'),
      sql<string | null>`payments.id`.as('payment_id'),
      sql<string | null>`payments.user_id`.as('user_id'),
      ...(['money.amount_minor', 'money.currency', 'money.created_at'] as const),
      'money.given_back_minor',
      'payments.provider_order_id',
      sql<string | null>`money.id`.as('provider_payment_id'),
      sql<string | null>`null::text`.as('receipt'),
      sql<string | null>`null::text`.as('reason'),
      'payments.asks as tries',
      'payments.next_ask_at as next_at',
      'payments.ask_error as last_error',
      sql<Date | null>`null::timestamptz`.as('held_until'),
    ])
