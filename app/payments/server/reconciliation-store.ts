import { sql } from 'kysely'
import type { Database, Row } from '#db/schema.ts'
import { pollSchedule } from './backoff.ts'
import { leaseEnd, nextPoll, type Refusal } from './store.ts'

/** A payment that a job polls; it is the job's own until `next_poll_at`. */
export type PolledPayment = Pick<
  Row<'payments'>,
  'id' | 'provider_order_id' | 'public_key' | 'next_poll_at' | 'poll_attempts'
>

/** Takes the payment of this provider that has been due for longest; only one job gets it. */
export const takePaymentToPoll = (
  db: Database,
  provider: Row<'payments'>['provider'],
): Promise<PolledPayment | undefined> =>
  db
    .updateTable('payments')
    .set({ next_poll_at: leaseEnd() })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('payments')
        .select('id')
        .where('next_poll_at', '<=', sql<Date>`now()`)
        .where('provider', '=', provider)
        .orderBy('next_poll_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'provider_order_id', 'public_key', 'next_poll_at', 'poll_attempts'])
    .executeTakeFirst()

type PollResult = { retrySeconds: number; error: string | null }

/** Notes a poll and schedules the next one, unless the polling was restarted meanwhile. */
export function notePoll(
  db: Database,
  { id, next_poll_at, poll_attempts }: PolledPayment,
  { retrySeconds, error }: PollResult,
) {
  const attempts = poll_attempts + 1
  const isTaken = sql<boolean>`next_poll_at = ${next_poll_at}`
  const next = nextPoll(pollSchedule(retrySeconds, attempts))
  return db
    .updateTable('payments')
    .set({
      last_poll_error: error,
      poll_attempts: sql<number>`
        case when ${isTaken} then ${attempts}::integer else poll_attempts end`,
      next_poll_at: sql<Date | null>`case when ${isTaken} then ${next} else next_poll_at end`,
    })
    .where('id', '=', id)
    .execute()
}

/**
 * How much of an authorised payment to capture: what its order asks for. Undefined when it must not
 * be captured: the payment was cancelled or paid otherwise, or has no cart yet.
 */
export const selectAmountToCapture = (
  db: Database,
  { paymentId, providerPaymentId }: { paymentId: string; providerPaymentId: string },
) =>
  db
    .selectFrom('payments')
    .leftJoin('provider_payments as money', (join) =>
      join.onRef('money.payment_id', '=', 'payments.id').on('money.id', '=', providerPaymentId),
    )
    .leftJoin('orders', 'orders.payment_id', 'payments.id')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .where('payments.id', '=', paymentId)
    .where(({ or, and, eb }) =>
      or([
        and([eb('money.state', '=', 'captured'), eb('orders.status', '!=', 'cancel')]),
        and([
          eb('money.id', 'is', null),
          eb('payments.settled_at', 'is', null),
          eb('payments.priced_cart', '=', true),
          eb('payments.cancelled_at', 'is', null),
          eb('users.closed_at', 'is', null),
        ]),
      ]),
    )
    .select(['payments.amount_minor as amountMinor', 'payments.currency'])
    .executeTakeFirst()

type NotCaptured = { paymentId: string; failed: string[]; refunded: string[] }

/**
 * Ends money without an order that failed at the provider, or was refunded by it: nothing is left to
 * refund. Answers what that was.
 */
export const voidProviderPayments = (
  tx: Database,
  { paymentId, failed, refunded, refusal }: NotCaptured & { refusal: Refusal },
) =>
  tx
    .updateTable('provider_payments')
    .set({
      state: sql`case when id = any(${refunded}::text[]) then 'refunded' else 'voided' end`,
      refunded_minor: sql`
        case when id = any(${refunded}::text[]) then amount_minor else refunded_minor end`,
      refusal: sql`coalesce(refusal, ${refusal.refusal})`,
      refusal_code: sql`coalesce(refusal_code, ${refusal.refusal_code})`,
      issue: null,
      next_refund_at: null,
      last_refund_error: null,
    })
    .where('payment_id', '=', paymentId)
    .where('id', '=', sql<string>`any(${[...failed, ...refunded]}::text[])`)
    .where('confirmed_at', 'is', null)
    .where('state', 'in', ['unmatched', 'refund_pending'])
    .returning('id')
    .execute()

/** Sets the issue of a payment's unconfirmed money; answers the rows whose issue is new. */
export const noteUnconfirmed = (tx: Database, { paymentId, failed, refunded }: NotCaptured) => {
  const issue = sql<'expired' | 'capture_pending'>`
    case when id = any(${[...failed, ...refunded]}::text[]) then 'expired' else 'capture_pending' end`
  return tx
    .updateTable('provider_payments')
    .set({ issue, resolved_at: null, resolution_note: null })
    .where('payment_id', '=', paymentId)
    .where('confirmed_at', 'is', null)
    .where('state', 'not in', ['refunding', 'refunded', 'voided'])
    .where('issue', 'is distinct from', issue)
    .returning(['id', 'state', 'issue'])
    .execute()
}
