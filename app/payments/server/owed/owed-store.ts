import { sql } from 'kysely'
import { PAYMENT_METHODS } from '#app/orders/contract.ts'
import type { ReceivedAs } from '#app/payments/order-admin-contract.ts'
import { dayOf, startOfDay } from '#app/shared/server/settings/day-store.ts'
import { anyOf, changesRow } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'
import { before } from '../transitions.ts'

/** The payments of orders that are paid without a provider, locked with their buyers until the transaction ends. */
export const lockAllOwed = (tx: Database, orderIds: string[]) =>
  tx
    .selectFrom('orders')
    .innerJoin('payments', 'payments.id', 'orders.payment_id')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .where('orders.id', '=', anyOf(orderIds))
    .where('provider', 'in', [...PAYMENT_METHODS])
    .orderBy('payments.id')
    .select(['payments.id', 'payments.provider', 'payments.state', 'payments.currency'])
    .select(['orders.id as order_id', 'orders.number', 'orders.created_at', 'payments.user_id'])
    .select(['buyer_name', 'buyer_email', 'payments.quote'])
    .select('payments.amount_minor')
    // rows are locked in the order of these clauses
    .forKeyShare('users')
    .forNoKeyUpdate('payments')
    .execute()

export type Owed = Awaited<ReturnType<typeof lockAllOwed>>[number]

/** The same of one order. */
export const lockOwed = async (tx: Database, orderId: string): Promise<Owed | undefined> =>
  (await lockAllOwed(tx, [orderId]))[0]

/** Those of these orders that were cancelled before they were paid. */
export const selectNeverPaid = (tx: Database, orderIds: string[]) =>
  tx
    .selectFrom('orders')
    .innerJoin('payments', 'payments.id', 'orders.payment_id')
    .where('orders.id', '=', anyOf(orderIds))
    .where('provider', 'in', [...PAYMENT_METHODS])
    .where('state', '=', 'cancelled')
    .select('orders.id')
    .execute()

/**
 * The amount that is still owed. A statement of its own: the one that has waited for the lock sees no money that
 * came in meanwhile.
 */
export async function selectOwedMinor(tx: Database, { id, amount_minor }: Owed): Promise<number> {
  const { rows } = await sql<{ paid_minor: number }>`
    select paid_minor from money_of(${id}::uuid)`.execute(tx)
  return amount_minor - (rows[0]?.paid_minor ?? 0)
}

/** Whether a day is not before that of the order, and not after today. */
export async function isWithin(tx: Database, day: string, { created_at }: Owed): Promise<boolean> {
  const { rows } = await sql<{ within: boolean }>`
    select ${day}::date between ${dayOf(sql`${created_at}::timestamptz`)} and ${dayOf(sql`now()`)} as within`.execute(
    tx,
  )
  return rows[0]?.within ?? false
}

type Received = {
  id: string
  providerPaymentId: string
  owed: Owed
  amountMinor: number
  /** Null: now. */
  day: string | null
  userId: string | null
  receivedAs: ReceivedAs | null
}

/** Stores money that an admin enters: of today it came in now, of another day at its beginning. */
export const insertReceived = (
  tx: Database,
  { id, providerPaymentId, owed, amountMinor, day, userId, receivedAs }: Received,
) =>
  sql`
    insert into captures (id, payment_id, provider, provider_payment_id, amount_minor, currency, received_at,
      confirmed_at, purpose, received_by, received_as)
    values (${id}::uuid, ${owed.id}::uuid, ${owed.provider}, ${providerPaymentId}, ${amountMinor}::bigint,
      ${owed.currency}, case when coalesce(${day}::date, ${dayOf(sql`now()`)}) = ${dayOf(sql`now()`)} then now()
        else greatest(${startOfDay(sql`${day}::date`)}, ${owed.created_at}::timestamptz) end,
      now(), 'order', ${userId}::uuid, ${receivedAs}::text)`.execute(tx)

/** Moves unpaid payments to their end. */
const end =
  (state: 'paid' | 'cancelled') =>
  (tx: Database, ...owed: Owed[]) =>
    tx
      .updateTable('payments')
      .set({ state })
      .where('id', '=', anyOf(owed.map(({ id }) => id)))
      .where('state', 'in', before('payments', state))
      .execute()

export const payOwed = end('paid')
export const cancelOwed = end('cancelled')

/** How many are reminded in one run of the job. */
const BATCH = 100

/** The unpaid orders whose day has passed and whose buyers were not reminded, the oldest first. */
export async function selectLate(db: Database): Promise<string[]> {
  const late = await db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.payment_id', 'payments.id')
    .where('state', '=', 'owed')
    .where('due_at', '<=', sql<Date>`now()`)
    .where('reminded_at', 'is', null)
    // on delivery nothing is paid before
    .where(({ or, eb }) =>
      or([eb('provider', '=', 'bank_transfer'), eb('status', 'in', ['Shipped', 'deliverd'])]),
    )
    .orderBy('due_at')
    .limit(BATCH)
    .select('orders.id')
    .execute()
  return late.map(({ id }) => id)
}

/** False when the buyer was reminded before, or the order is paid or cancelled. */
export const markReminded = (tx: Database, id: string): Promise<boolean> =>
  changesRow(
    tx
      .updateTable('payments')
      .set({ reminded_at: sql`now()` })
      .where('id', '=', id)
      .where('state', '=', 'owed')
      .where('reminded_at', 'is', null),
  )
