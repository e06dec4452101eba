import { sql } from 'kysely'
import type { PaymentState } from '#app/payments/admin-contract.ts'
import type { Database } from '#db/schema.ts'
import { doubtful } from './doubtful-store.ts'

type Slice = { limit: number; offset: number }

const nothing = <Value>() => sql<Value | null>`null`

/** Money that came in and is not kept for an order. */
const money = (db: Database, states: PaymentState[]) =>
  db
    .selectFrom('provider_payments as money')
    .innerJoin('payments', 'payments.id', 'money.payment_id')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .where('money.state', '!=', 'kept')
    .where(sql<string>`money.state`, 'in', states)
    .select([
      'money.id',
      'payments.id as payment_id',
      sql<PaymentState>`money.state`.as('state'),
      ...(['users.id as user_id', 'users.name', 'users.email'] as const),
      ...(['money.amount_minor', 'money.currency', 'money.created_at'] as const),
      'payments.provider_order_id',
      sql<string | null>`money.id`.as('provider_payment_id'),
      'money.refusal as reason',
      'money.refund_tries as tries',
      'money.next_refund_at as next_at',
      'money.refund_error as last_error',
      sql<Date | null>`null::timestamptz`.as('held_until'),
    ])

/** Payments that the provider is asked about, because nothing came in yet. */
const started = (db: Database) =>
  db
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .leftJoin('holds', 'holds.payment_id', 'payments.id')
    .where('payments.next_ask_at', 'is not', null)
    .where('payments.settled_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('provider_payments')
            .select('id')
            .whereRef('payment_id', '=', 'payments.id')
            .where('state', '!=', 'kept'),
        ),
      ),
    )
    .select([
      sql<string>`payments.id::text`.as('id'),
      'payments.id as payment_id',
      sql<PaymentState>`'started'`.as('state'),
      ...(['users.id as user_id', 'users.name', 'users.email'] as const),
      ...(['payments.amount_minor', 'payments.currency', 'payments.created_at'] as const),
      'payments.provider_order_id',
      nothing<string>().as('provider_payment_id'),
      'payments.failure as reason',
      'payments.asks as tries',
      'payments.next_ask_at as next_at',
      'payments.ask_error as last_error',
      'holds.expires_at as held_until',
    ])

/** All that are in one of these states. */
const listed = (db: Database, states: PaymentState[]) => {
  const all = money(db, states).unionAll(doubtful(db, states))
  return states.includes('started') ? all.unionAll(started(db)) : all
}

/** A page of them in the order of the states, each newest first. */
export const selectPayments = (db: Database, states: PaymentState[], { limit, offset }: Slice) =>
  db
    .selectFrom(listed(db, states).as('listed'))
    .selectAll()
    .orderBy(sql`array_position(${states}::text[], state)`)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()

export type ListedRow = Awaited<ReturnType<typeof selectPayments>>[number]

export async function countPayments(db: Database, states: PaymentState[]): Promise<number> {
  const { total } = await db
    .selectFrom(listed(db, states).as('listed'))
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}
