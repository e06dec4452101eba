import { sql } from 'kysely'
import type { PaymentState } from '#app/payments/admin-contract.ts'
import type { Database } from '#db/schema.ts'
import { doubtful } from './doubtful-store.ts'
import { unknown } from './unknown-store.ts'

type Slice = { limit: number; offset: number }

const nothing = <Value>() => sql<Value | null>`null`

/** Whose it is, where that is known. */
const WHOSE = [
  sql<string | null>`payments.id`.as('payment_id'),
  sql<string | null>`payments.user_id`.as('user_id'),
] as const

/** Money that came in and is not kept for an order; or is, and something of it was given back. */
const money = (db: Database, states: PaymentState[]) =>
  db
    .selectFrom('provider_payments as money')
    .innerJoin('payments', 'payments.id', 'money.payment_id')
    .where(({ or, and, eb }) =>
      or([
        and([eb('money.state', '!=', 'kept'), eb(sql<string>`money.state`, 'in', states)]),
        ...(states.includes('given_back')
          ? [and([eb('money.state', '=', 'kept'), eb('money.given_back_minor', '>', 0)])]
          : []),
      ]),
    )
    .select([
      'money.id',
      sql<PaymentState>`case money.state when 'kept' then 'given_back' else money.state end`.as(
        'state',
      ),
      ...WHOSE,
      ...(['money.amount_minor', 'money.currency', 'money.created_at'] as const),
      'money.given_back_minor',
      'payments.provider_order_id',
      sql<string | null>`money.id`.as('provider_payment_id'),
      nothing<string>().as('receipt'),
      'money.refusal as reason',
      'money.refund_tries as tries',
      // what was paid for a cart is not claimed but judged, when the provider tells of its order
      sql<Date | null>`case when money.state = 'unclaimed' and payments.priced_cart
        then payments.next_ask_at else money.next_refund_at end`.as('next_at'),
      sql<string | null>`case when money.state = 'unclaimed' and payments.priced_cart
        then payments.ask_error else money.refund_error end`.as('last_error'),
      sql<Date | null>`null::timestamptz`.as('held_until'),
    ])

/** So many of those are listed: there may be very many, and what is old will hardly be paid. */
const MOST_STARTED = 1000

/** The newest payments that the provider is asked about, because nothing came in yet. */
const started = (db: Database) =>
  db
    .selectFrom('payments')
    .leftJoin('holds', 'holds.payment_id', 'payments.id')
    .where('payments.id', 'in', (eb) =>
      eb
        .selectFrom('payments')
        .select('id')
        .where('next_ask_at', 'is not', null)
        .where('settled_at', 'is', null)
        .orderBy('created_at', 'desc')
        .limit(MOST_STARTED),
    )
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
      sql<PaymentState>`'started'`.as('state'),
      ...WHOSE,
      ...(['payments.amount_minor', 'payments.currency', 'payments.created_at'] as const),
      sql<number>`0`.as('given_back_minor'),
      'payments.provider_order_id',
      nothing<string>().as('provider_payment_id'),
      nothing<string>().as('receipt'),
      'payments.failure as reason',
      'payments.asks as tries',
      'payments.next_ask_at as next_at',
      'payments.ask_error as last_error',
      'holds.expires_at as held_until',
    ])

/** All that are in one of these states. */
function listed(db: Database, states: PaymentState[]) {
  const booked = money(db, states).unionAll(doubtful(db, states)).unionAll(unknown(db, states))
  return states.includes('started') ? booked.unionAll(started(db)) : booked
}

/** A page of them in the order of the states, each newest first. */
export const selectPayments = (db: Database, states: PaymentState[], { limit, offset }: Slice) =>
  db
    .selectFrom(listed(db, states).as('listed'))
    .leftJoin('users', 'users.id', 'listed.user_id')
    .selectAll('listed')
    .select(['users.name', 'users.email'])
    .orderBy(sql`array_position(${states}::text[], state)`)
    .orderBy('listed.created_at', 'desc')
    .orderBy('listed.id')
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
