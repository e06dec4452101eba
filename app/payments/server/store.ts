/** Payments as they were started. */
import { sql } from 'kysely'
import type { AuditedRows } from '#app/shared/server/domain-module.ts'
import { sectionOf } from '#app/shared/server/personal-data-store.ts'
import { secondsFromNow } from '#app/shared/server/store.ts'
import { buyerLock } from '#db/locks.ts'
import type { Database, Row } from '#db/schema.ts'
import { type PollSchedule, pollSchedule } from './backoff.ts'
import { before } from './transitions.ts'

export type Payment = Row<'payments'>

/** Whether stock is reserved for a payment. */
export const isReserved = ({
  state,
  reserved_until,
}: Pick<Payment, 'state' | 'reserved_until'>): boolean =>
  state === 'open' && reserved_until !== null

/**
 * Until when a row that a job has taken is its own: longer than any provider is waited for, and
 * rounded to what a Date holds, so that the job can compare it.
 */
export const leaseEnd = () => sql<Date>`date_trunc('milliseconds', ${secondsFromNow(60)})`

export const selectPayment = (db: Database, providerOrderId: string) =>
  db
    .selectFrom('payments')
    .where('provider_order_id', '=', providerOrderId)
    .selectAll()
    .executeTakeFirst()

/**
 * Selects and locks a payment by the provider's order, after the lock of its buyer. Other decisions on the buyer's
 * money, and starts of payments, wait: what one of them takes for a first order, the other sees.
 */
export const lockPayment = (tx: Database, providerOrderId: string) =>
  tx
    .with('of_buyer', (db) =>
      db
        .selectFrom('payments')
        .where('provider_order_id', '=', providerOrderId)
        .select(['id', buyerLock(sql.ref('user_id')).as('lock')]),
    )
    .selectFrom('of_buyer')
    .innerJoin('payments', 'payments.id', 'of_buyer.id')
    .selectAll('payments')
    // for its keys, which captures refer to, nobody waits
    .forNoKeyUpdate('payments')
    .executeTakeFirst()

/**
 * Selects and locks a payment by the shop's own id, after the account of its buyer: so a second update of the payment and the
 * closing of the account never deadlock.
 */
export const lockWithAccount = (tx: Database, id: string) =>
  tx
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .selectAll('payments')
    .where('payments.id', '=', id)
    // rows are locked in the order of these clauses
    .forKeyShare('users')
    .forNoKeyUpdate('payments')
    .executeTakeFirst()

/** Selects and locks a payment by the shop's own id, without the account. */
export const lockPaymentById = (tx: Database, id: string) =>
  tx.selectFrom('payments').where('id', '=', id).selectAll().forNoKeyUpdate().executeTakeFirst()

/** Ends a payment that was not paid; the caller has locked it, and returns its stock. */
export const markEnded = (tx: Database, id: string, state: 'expired' | 'cancelled') =>
  tx
    .updateTable('payments')
    .set({ state })
    .where('id', '=', id)
    .where('state', 'in', before('payments', state))
    .execute()

/** Whether a payment waits for money, or for the provider to confirm its money. */
const isOpen = sql<boolean>`(state in ('open', 'expired')
  or state = 'cancelled' and not exists (select from captures where payment_id = payments.id)
  or exists (select from captures
    where payment_id = payments.id and confirmed_at is null and voided_at is null))`

/** The next poll of a payment: an open one is polled more often. */
export const nextPoll = ({ open, decided }: PollSchedule) => sql<Date | null>`
  case when ${isOpen} then ${secondsFromNow(open)} else ${secondsFromNow(decided)} end`

/** Starts the polling anew, after money came in, was confirmed or went back. */
export const restartPolling = (tx: Database, id: string, retrySeconds: number) =>
  tx
    .updateTable('payments')
    .set({
      attempts: 0,
      last_error: null,
      next_attempt_at: nextPoll(pollSchedule(retrySeconds, 0)),
    })
    .where('id', '=', id)
    .execute()

/** Makes a poll due now: it tells whether refused money was captured, and finds other money of the payment. */
export const pollNow = (tx: Database, id: string) =>
  tx
    .updateTable('payments')
    .set({ attempts: 0, last_error: null, next_attempt_at: sql`now()` })
    .where('id', '=', id)
    .execute()

/** Runs the work in a savepoint: when it throws, its writes are undone and the transaction goes on. */
export async function inSavepoint(tx: Database, work: () => Promise<void>): Promise<void> {
  await sql`savepoint work`.execute(tx)
  try {
    await work()
  } catch (error) {
    await sql`rollback to savepoint work`.execute(tx)
    throw error
  }
}

/** The progress of jobs, notes of the shop, its admins and the keys of their requests. */
const INTERNAL = sql`'{public_key,next_attempt_at,attempts,last_error,resolved_at,resolution_note,requested_by,
  attempt,placed_by,received_by,request_key}'::text[]`

/** The payments of a user with their money and its refunds, for the export of personal data. */
export const paymentsOfUser = sectionOf(
  (userId) => sql`
    select id::text as key, to_jsonb(payments) - ${INTERNAL} || jsonb_build_object('captures', (
      select coalesce(jsonb_agg(to_jsonb(capture) - ${INTERNAL} || jsonb_build_object('refunds', (
        select coalesce(jsonb_agg(to_jsonb(refund) - ${INTERNAL} || jsonb_build_object('lines', (
          select coalesce(jsonb_agg(to_jsonb(line) - 'refund_id' - 'order_id' order by kind, position), '[]')
          from refund_lines as line where refund_id = refund.id)) order by created_at), '[]')
        from refunds as refund where capture_id = capture.id)) order by id), '[]')
      from captures as capture where payment_id = payments.id)) as item
    from payments where user_id = ${userId}`,
)

/** The names of captures in the history: the buyer and the order, or the provider's id. */
const audited = (captureId = sql`audit_log.row_id`) => ({
  name: sql<string | null>`(
    select coalesce(users.name || coalesce(', order ' || number, ''), provider_payment_id)
    from captures
      left join payments on payments.id = payment_id
      left join users on users.id = payments.user_id
      left join orders on orders.payment_id = captures.payment_id and purpose = 'order'
    where captures.id = ${captureId})`,
  currency: sql<string | null>`(select currency from captures where id = ${captureId})`,
})

/** Before 0.4.0 a payment and its money were one row, whose id the capture has. */
export const AUDITED_PAYMENTS: AuditedRows = {
  // an admin's note, and money that an admin has entered
  captures: {
    ...audited(),
    stored: ['amount_minor', 'received_as', 'received_at', 'resolution_note'],
  },
  refunds: {
    ...audited(sql`(select capture_id from refunds where id = audit_log.row_id)`),
    // an admin's
    stored: ['amount_minor', 'reason', 'state'],
  },
  refund_lines: audited(sql`(select capture_id from refunds where id = audit_log.row_id)`),
  payments: audited(),
  unknown_payments: audited(),
}
