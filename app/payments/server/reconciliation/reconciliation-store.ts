import { sql } from 'kysely'
import { secondsFromNow } from '#app/shared/server/store.ts'
import type { Database, Row } from '#db/schema.ts'
import { pollSchedule } from '../backoff.ts'
import { leaseEnd, NO_MONEY, nextPoll } from '../store.ts'
import { UNDECIDED } from '../transitions.ts'

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
        .where('state', '!=', 'refund_pending')
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
    .where('state', '!=', 'refund_pending')
    .where('next_attempt_at', '<=', secondsFromNow(-3 * 24 * 60 * 60))
    .execute()

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
    .where('state', '!=', 'refund_pending')
    .execute()
}

/**
 * How much of an authorised payment to capture: what its order asks for. Undefined when it must not be captured:
 * it pays for no order, or for a cancelled one.
 */
export const selectAmountToCapture = (
  db: Database,
  { paymentId, providerPaymentId }: { paymentId: string; providerPaymentId: string },
) =>
  db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.payment_id', 'payments.id')
    .where('payments.id', '=', paymentId)
    .where('state', '=', 'captured')
    .where('provider_payment_id', '=', providerPaymentId)
    .where('orders.status', '!=', 'cancel')
    .select(['payments.amount_minor as amountMinor', 'payments.currency'])
    .executeTakeFirst()

/** The provider's ids of money that a payment does not get, by its status there. */
export type NotCaptured = {
  paymentId: string
  failed: string[]
  refunded: string[]
  released: string[]
}

/** The ids of all of it. */
export const idsOf = ({ failed, refunded, released }: NotCaptured): string[] => [
  ...failed,
  ...refunded,
  ...released,
]

/** The unconfirmed money of a payment and of its surplus, among these ids. */
const unconfirmed = (ids: string[], paymentId: string) => sql<boolean>`
  (id = ${paymentId} or surplus_of = ${paymentId}) and confirmed_at is null
  and provider_payment_id = any(${ids}::text[])`

/**
 * Ends refunds of money that failed at the provider, or was released by it: nothing is left to refund.
 * That of an order ends only when its money was released. A refund after the capture may be the shop's own,
 * of a request without an answer, and may still fail: its job asks for it. Money that was not decided on is
 * forgotten, and the payment can still be paid. Answers whether there was any.
 */
export async function endUnconfirmed(tx: Database, notCaptured: NotCaptured): Promise<boolean> {
  const { paymentId, failed, released } = notCaptured
  const forgotten = await tx
    .updateTable('payments')
    .set(NO_MONEY)
    .where('state', 'in', UNDECIDED)
    .where(unconfirmed(idsOf(notCaptured), paymentId))
    .returning('id')
    .execute()
  const ended = await tx
    .updateTable('payments')
    .set({
      state: sql`case when provider_payment_id = any(${released}::text[]) then 'refunded'
        else 'failed' end::payment_state`,
      refunded_minor: sql<number>`case when provider_payment_id = any(${released}::text[])
        then coalesce(paid_minor, amount_minor) else refunded_minor end`,
      issue: null,
      next_attempt_at: null,
      last_error: null,
    })
    .where('state', '=', 'refund_pending')
    .where(sql<boolean>`(refusal is not null or provider_payment_id = any(${released}::text[]))`)
    .where('refund_accepted', '=', false)
    .where(unconfirmed([...failed, ...released], paymentId))
    .returning('id')
    .execute()
  return forgotten.length + ended.length > 0
}

/** Sets the issue of a payment's unconfirmed money; answers the rows whose issue is new. */
export const noteUnconfirmed = (tx: Database, notCaptured: NotCaptured) => {
  const issue = sql<'expired' | 'capture_pending'>`case
    when provider_payment_id = any(${idsOf(notCaptured)}::text[]) then 'expired'
    else 'capture_pending' end`
  return tx
    .updateTable('payments')
    .set({ issue, resolved_at: null, resolution_note: null })
    .where('id', '=', notCaptured.paymentId)
    .where('state', '=', 'captured')
    .where('confirmed_at', 'is', null)
    .where('issue', 'is distinct from', issue)
    .returning(['provider_payment_id', 'issue'])
    .execute()
}
