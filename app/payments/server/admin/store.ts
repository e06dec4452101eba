import { sql } from 'kysely'
import type { PaymentState } from '#app/payments/admin-contract.ts'
import type { Database } from '#db/schema.ts'
import { listedColumns } from './columns-store.ts'
import { doubtful } from './doubtful-store.ts'
import { unknown } from './unknown-store.ts'

type Slice = { limit: number; offset: number }

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
    .select(
      listedColumns({
        id: sql.ref('money.id'),
        state: sql`case money.state when 'kept' then 'given_back' else money.state end`,
        payment_id: sql.ref('payments.id'),
        user_id: sql.ref('payments.user_id'),
        history_id: sql.ref('payments.id'),
        amount_minor: sql.ref('money.amount_minor'),
        currency: sql.ref('money.currency'),
        given_back_minor: sql.ref('money.given_back_minor'),
        created_at: sql.ref('money.created_at'),
        provider_order_id: sql.ref('payments.provider_order_id'),
        provider_payment_id: sql.ref('money.id'),
        reason: sql.ref('money.refusal'),
        tries: sql.ref('money.refund_tries'),
        // what was paid for a cart is not claimed but judged, when the provider tells of its order
        next_at: sql`case when money.state = 'unclaimed' and payments.priced_cart
          then payments.next_ask_at else money.next_refund_at end`,
        last_error: sql`case when money.state = 'unclaimed' and payments.priced_cart
          then payments.ask_error else money.refund_error end`,
      }),
    )

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
    .select(
      listedColumns({
        ...{ id: sql<string>`payments.id::text`, state: sql<PaymentState>`'started'` },
        payment_id: sql.ref('payments.id'),
        user_id: sql.ref('payments.user_id'),
        history_id: sql.ref('payments.id'),
        amount_minor: sql.ref('payments.amount_minor'),
        currency: sql.ref('payments.currency'),
        created_at: sql.ref('payments.created_at'),
        provider_order_id: sql.ref('payments.provider_order_id'),
        reason: sql.ref('payments.failure'),
        tries: sql.ref('payments.asks'),
        next_at: sql.ref('payments.next_ask_at'),
        last_error: sql.ref('payments.ask_error'),
        held_until: sql.ref('holds.expires_at'),
      }),
    )

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
