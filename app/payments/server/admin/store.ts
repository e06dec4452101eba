import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { RESOLVABLE_STATES } from '#app/payments/admin-contract.ts'
import { changesRow } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'
import { IN_PROGRESS } from '../transitions.ts'

/** Resolves an issue with a note; false when the money has none that an admin can resolve. */
export const markResolved = (
  tx: Database,
  { id, note }: { id: string; note: string },
): Promise<boolean> =>
  changesRow(
    tx
      .updateTable('captures')
      .from('capture_overview as overview')
      .set({
        resolution_note: note,
        resolved_at: sql<Date>`case when resolution_note = ${note} then resolved_at else now() end`,
        // the issue that is resolved: a later one needs attention again
        issue: sql`case overview.state when 'paid_cancelled' then 'paid_cancelled' else issue end`,
      })
      .where('provider_payment_id', '=', id)
      .whereRef('overview.id', '=', 'captures.id')
      .where(sql<boolean>`overview.state = any(${[...RESOLVABLE_STATES, 'resolved']}::text[])`)
      // the refund of an order is given up instead
      .where(({ or, eb }) =>
        or([eb('overview.state', '!=', 'refund_refused'), eb('refusal', 'is not', null)]),
      ),
  )

/** Whether there is a payment of this id: the provider's, or the shop's of one that is started. */
export async function isKnown(db: Database, id: string): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from captures where provider_payment_id = ${id})
      or exists (select from payments where id::text = ${id}) as known`.execute(db)
  return rows[0]?.known ?? false
}

/** The payment of an order. */
export const selectPaymentOfOrder = (db: Database, orderId: string) =>
  db
    .selectFrom('orders')
    .innerJoin('payments', 'payments.id', 'orders.payment_id')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .where('orders.id', '=', orderId)
    .select(['payments.id', 'payments.provider', 'payments.state', 'payments.currency'])
    .select(['payments.amount_minor', 'orders.buyer_name'])

/** The same, locked until the transaction ends, and its buyer before it, who may get an e-mail. */
export const lockPaymentOfOrder = (tx: Database, orderId: string) =>
  selectPaymentOfOrder(tx, orderId)
    // rows are locked in the order of these clauses
    .forKeyShare('users')
    .forNoKeyUpdate('payments')
    .executeTakeFirst()

/** The money that paid for the order of a payment, with what was refunded of it, the first first. */
export async function selectMoneyOf(db: Database, paymentId: string) {
  const { rows } = await sql<OrderMoney>`
    select id, currency, amount_minor - refunded_minor - disputed_minor as left_minor, refunds,
      open_refund, last_error, confirmed_at is not null as is_confirmed,
      exists (select from disputes where capture_id = captures.id and state = 'open') as is_disputed
    from captures cross join lateral refunds_of(id) as refunded
      left join lateral (select last_error from refunds
        where capture_id = captures.id and state = any(${IN_PROGRESS}::text[])) as attempted on true
    where payment_id = ${paymentId}::uuid and purpose = 'order'
    order by id`.execute(db)
  return rows
}

/** A capture of an order. */
export type OrderMoney = {
  id: string
  currency: string
  /** The amount that was neither refunded nor lost in a dispute yet, in minor units. */
  left_minor: number
  /** How many refunds are done. */
  refunds: number
  open_refund: string | null
  /** Whether the provider has captured it. */
  is_confirmed: boolean
  /** Why the last attempt of the refund in progress failed. */
  last_error: string | null
  is_disputed: boolean
}

/** The payment of an order whose money the provider has not captured, as far as the shop knows. */
export const selectUncaptured = (db: Database, orderId: string) =>
  db
    .selectFrom('orders')
    .innerJoin('payments', 'payments.id', 'orders.payment_id')
    .innerJoin('captures', 'captures.payment_id', 'payments.id')
    .where('orders.id', '=', orderId)
    .where('purpose', '=', 'order')
    .where('confirmed_at', 'is', null)
    .select(['payments.id', 'payments.provider'])
    .executeTakeFirst()

type NewRefund = {
  captureId: string
  amountMinor: number
  reason: string
  /** The admin. */
  userId: string | null
  /** Of the request. */
  key: string | null
  /** Whether the buyer is told by e-mail. */
  mails: boolean
}

/** Requests a refund, and answers its id: the job makes it from now on. Of an order that cost nothing, it is done. */
export async function insertRefund(
  tx: Database,
  { captureId, amountMinor, reason, userId, key, mails }: NewRefund,
): Promise<string> {
  const id = uuidv7()
  await tx
    .insertInto('refunds')
    .values({
      id,
      capture_id: captureId,
      amount_minor: amountMinor,
      reason,
      requested_by: userId,
      request_key: key,
      is_mailed: mails,
      ...(amountMinor === 0
        ? { state: 'done', done_at: sql`now()` }
        : { state: 'pending', next_attempt_at: sql`now()` }),
    })
    .execute()
  return id
}

/** The refunds of a request by its key, with their payments. */
export const selectRefundsOfRequest = (db: Database, key: string) =>
  db
    .selectFrom('refunds')
    .innerJoin('captures', 'captures.id', 'capture_id')
    .where('request_key', '=', key)
    .select(['payment_id', 'refunds.amount_minor'])
    .execute()
