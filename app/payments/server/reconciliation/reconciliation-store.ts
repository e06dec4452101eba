import { sql } from 'kysely'
import { secondsFromNow } from '#app/shared/server/store.ts'
import type { Database, Row } from '#db/schema.ts'
import { pollSchedule } from '../backoff.ts'
import { leaseEnd, nextPoll } from '../store.ts'

/** A payment that a job polls; it is the job's own until `next_attempt_at`. */
export type PolledPayment = Pick<
  Row<'payments'>,
  | 'id'
  | 'provider_order_id'
  | 'public_key'
  | 'amount_minor'
  | 'currency'
  | 'next_attempt_at'
  | 'attempts'
>

const POLLED = [
  'id',
  'provider_order_id',
  'public_key',
  'amount_minor',
  'currency',
  'next_attempt_at',
  'attempts',
] as const

/** A payment to poll outside its schedule. */
export const selectPolled = (
  db: Database,
  id: string,
): Promise<(PolledPayment & { provider: string }) | undefined> =>
  db
    .selectFrom('payments')
    .where('id', '=', id)
    .select([...POLLED, 'provider'])
    .executeTakeFirst()

/** Takes the payment of this provider that has been due for longest; only one job gets it. */
export const takePaymentToPoll = (
  db: Database,
  provider: string,
): Promise<PolledPayment | undefined> =>
  db
    .updateTable('payments')
    .set({ next_attempt_at: leaseEnd() })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('payments')
        .select('id')
        .where('next_attempt_at', '<=', sql<Date>`now()`)
        .where('provider', '=', provider)
        .orderBy('next_attempt_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(POLLED)
    .executeTakeFirst()

/**
 * Ends the polls of payments at other providers that have been due for three days: the shop is not connected
 * to these any more. Refunds there stay due, and need attention.
 */
export const endFormerPolls = (db: Database, open: string[]) =>
  db
    .updateTable('payments')
    .set({ next_attempt_at: null })
    .where('provider', 'not in', [...open, 'none'])
    .where('next_attempt_at', '<=', secondsFromNow(-3 * 24 * 60 * 60))
    .execute()

type PollResult = { retrySeconds: number; error: string | null }

/** Notes a poll, and schedules the next one unless the polling was restarted meanwhile. */
export function notePoll(
  db: Database,
  { id, next_attempt_at, attempts }: PolledPayment,
  { retrySeconds, error }: PollResult,
) {
  const isTaken = sql<boolean>`next_attempt_at = ${next_attempt_at}`
  const next = nextPoll(pollSchedule(retrySeconds, attempts + 1))
  return db
    .updateTable('payments')
    .set({
      last_error: error,
      attempts: sql<number>`
        case when ${isTaken} then ${attempts + 1}::integer else attempts end`,
      next_attempt_at: sql<Date | null>`
        case when ${isTaken} then ${next} else next_attempt_at end`,
    })
    .where('id', '=', id)
    .execute()
}

/** The provider did not answer: the payment is polled again after the first pause. */
export const postponePoll = (
  db: Database,
  { id, next_attempt_at }: PolledPayment,
  retrySeconds: number,
) =>
  db
    .updateTable('payments')
    .set({ next_attempt_at: secondsFromNow(retrySeconds) })
    .where('id', '=', id)
    .where('next_attempt_at', '=', next_attempt_at)
    .execute()

/**
 * The amount to capture of authorised money that pays for an order: what its payment asks for. Undefined where
 * it is not wanted, because it was refused or its order was cancelled.
 */
export const selectAmountToCapture = (db: Database, captureId: string) =>
  db
    .selectFrom('captures')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .innerJoin('orders', 'orders.payment_id', 'payments.id')
    .where('captures.id', '=', captureId)
    .where('purpose', '=', 'order')
    .where('status', '!=', 'cancel')
    .select(['payments.amount_minor as amountMinor', 'payments.currency'])
    .executeTakeFirst()

/** The provider refuses to capture the money of an order: the merchant is told before the next poll. */
export const noteUncaptured = (db: Database, id: string) =>
  db
    .updateTable('payments')
    .set({ attempts: sql<number>`greatest(attempts, 1)` })
    .where('id', '=', id)
    .execute()
