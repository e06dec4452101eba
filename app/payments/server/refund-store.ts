import { sql } from 'kysely'
import type { Database, Row } from '#db/schema.ts'
import type { RefundState } from '../contract.ts'
import { leaseEnd, secondsFromNow } from './store.ts'

type State = Row<'provider_payments'>['state']

/** A refund that a job has taken. */
export type TakenRefund = {
  id: string
  amount_minor: number
  state: State
  refund_attempts: number
}

/** Takes a refund that is due, or whose progress is; only one job gets it. */
export const takeRefund = (db: Database, id: string): Promise<TakenRefund | undefined> =>
  db
    .updateTable('provider_payments')
    .set({ next_refund_at: leaseEnd() })
    .where('id', '=', id)
    .where('next_refund_at', '<=', sql<Date>`now()`)
    .returning(['id', 'amount_minor', 'state', 'refund_attempts'])
    .executeTakeFirst()

/** The refunds that are due at this provider, the oldest first. */
export const selectDueRefunds = (
  db: Database,
  provider: Row<'payments'>['provider'],
  limit: number,
) =>
  db
    .selectFrom('provider_payments')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .select('provider_payments.id')
    .where('provider', '=', provider)
    .where('next_refund_at', '<=', sql<Date>`now()`)
    .orderBy('next_refund_at')
    .limit(limit)
    .execute()

type Refunded = { amountMinor: number; refundedMinor: number }

/** The refund is complete. */
export const markRefunded = (db: Database, id: string, { amountMinor, refundedMinor }: Refunded) =>
  db
    .updateTable('provider_payments')
    .set({
      state: 'refunded',
      amount_minor: amountMinor,
      refunded_minor: refundedMinor,
      next_refund_at: null,
      last_refund_error: null,
    })
    .where('id', '=', id)
    .where('state', 'in', ['refund_pending', 'refunding'])
    .execute()

type Accepted = { id: string; amountMinor: number; refundId: string | null; pauseSeconds: number }

/**
 * The provider has accepted the refund; its progress is polled after the pause. Does nothing when
 * the webhook has reported meanwhile that this refund failed.
 */
export const markRefunding = (
  db: Database,
  { id, amountMinor, refundId, pauseSeconds }: Accepted,
) =>
  db
    .updateTable('provider_payments')
    .set({
      state: 'refunding',
      amount_minor: amountMinor,
      refund_id: refundId,
      next_refund_at: secondsFromNow(pauseSeconds),
    })
    .where('id', '=', id)
    .where('state', '=', 'refund_pending')
    .where(sql<boolean>`(refund_id is distinct from ${refundId} or ${refundId}::text is null)`)
    .execute()

/** The refund is still in progress: polled again after the pause. */
export const noteRefundPoll = (db: Database, id: string, pauseSeconds: number) =>
  db
    .updateTable('provider_payments')
    .set({
      refund_attempts: sql<number>`refund_attempts + 1`,
      next_refund_at: secondsFromNow(pauseSeconds),
    })
    .where('id', '=', id)
    .where('state', '=', 'refunding')
    .execute()

/** Makes a refund due now, so that the next run of the job polls the provider. */
export const expediteRefund = (db: Database, id: string) =>
  db
    .updateTable('provider_payments')
    .set({ next_refund_at: sql`now()` })
    .where('id', '=', id)
    .where('state', 'in', ['refund_pending', 'refunding'])
    .execute()

type Failed = { id: string; error: string; pauseSeconds: number }

const failed = ({ error, pauseSeconds }: Omit<Failed, 'id'>) => ({
  state: 'refund_pending' as const,
  last_refund_error: error,
  refund_attempts: sql<number>`refund_attempts + 1`,
  next_refund_at: secondsFromNow(pauseSeconds),
})

type FailedAttempt = Failed & {
  takenState: State
  /** The provider's id of the failed refund; undefined when the provider did not accept one. */
  failedId?: string | undefined
}

/**
 * A refund failed and is tried again after the pause. Does nothing when the row is in another state
 * by now, or the webhook has reported this failure already.
 */
export const noteFailedRefund = (
  db: Database,
  { id, takenState, failedId, ...failure }: FailedAttempt,
) =>
  db
    .updateTable('provider_payments')
    .set({ ...failed(failure), ...(failedId && { refund_id: failedId }) })
    .where('id', '=', id)
    .where('state', '=', takenState)
    .where(({ or, eb }) =>
      or([
        eb('state', '=', 'refunding'),
        ...(failedId ? [eb('refund_id', 'is distinct from', failedId)] : [eb.lit(true)]),
      ]),
    )
    .execute()

/**
 * The webhook reports a failed refund. It counts once, also when the report overtakes the provider's
 * answer; and not when another refund is in progress by now.
 */
export const noteReportedFailure = (
  db: Database,
  { id, refundId, ...failure }: Failed & { refundId: string },
) =>
  db
    .updateTable('provider_payments')
    .set({ ...failed(failure), refund_id: refundId })
    .where('id', '=', id)
    .where(({ or, and, eb }) =>
      or([
        and([eb('state', '=', 'refund_pending'), eb('refund_id', 'is distinct from', refundId)]),
        and([
          eb('state', '=', 'refunding'),
          or([eb('refund_id', 'is', null), eb('refund_id', '=', refundId)]),
        ]),
      ]),
    )
    .execute()

/** Stores the refunded amount of money that is not the shop's to refund; it never decreases. */
export const raiseRefunded = (tx: Database, id: string, minor: number) =>
  tx
    .updateTable('provider_payments')
    .set({ refunded_minor: sql<number>`greatest(refunded_minor, ${minor}::bigint)` })
    .where('id', '=', id)
    .where('state', 'in', ['captured', 'unmatched'])
    .execute()

/**
 * Unmatched money older than so many minutes. Money for a priced cart is not among it as long as the
 * provider is polled: the provider has not told of its order yet.
 */
export const selectUnmatched = (db: Database, minutes: number, limit: number) =>
  db
    .selectFrom('provider_payments')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .where('state', '=', 'unmatched')
    .where(({ or, eb }) =>
      or([eb('priced_cart', '=', false), eb('payments.next_poll_at', 'is', null)]),
    )
    .where('provider_payments.created_at', '<=', secondsFromNow(-60 * minutes))
    .orderBy('provider_payments.created_at')
    .limit(limit)
    .select(['provider_payments.id', 'payments.id as paymentId'])
    .execute()

/** Money of a buyer that bought nothing: only such money has a refusal. */
const refusedOf = (db: Database, userId: string) =>
  db
    .selectFrom('payments')
    .innerJoin('provider_payments as money', 'money.payment_id', 'payments.id')
    .where('payments.user_id', '=', userId)
    .where('money.refusal', 'is not', null)

/** A page of a buyer's refunds, newest first. */
export const selectRefundsOf = (
  db: Database,
  userId: string,
  { limit, offset }: { limit: number; offset: number },
) =>
  refusedOf(db, userId)
    .orderBy('money.created_at', 'desc')
    .orderBy('money.id')
    .limit(limit)
    .offset(offset)
    .select(['money.id', 'money.amount_minor', 'money.currency', 'money.created_at'])
    .select([sql<RefundState>`money.state`.as('state'), sql<string>`money.refusal`.as('refusal')])
    .execute()

export type RefundRow = Awaited<ReturnType<typeof selectRefundsOf>>[number]

export async function countRefundsOf(db: Database, userId: string): Promise<number> {
  const { total } = await refusedOf(db, userId)
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}
