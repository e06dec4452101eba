import { sql } from 'kysely'
import type { Database, Row } from '#db/schema.ts'
import { afterPause, LEASE } from './pauses-store.ts'

/** How often money has been waited for: a refund that is due, tried; one under way, asked about. */
export const WAITS = sql`case state when 'refunding' then refund_asks else refund_tries end`

/** Takes on a refund that is due or under way, and whose time has come, for one taker at a time. */
export const takeRefund = (db: Database, id: string) =>
  db
    .updateTable('provider_payments')
    .set({ next_refund_at: LEASE })
    .where('id', '=', id)
    .where('next_refund_at', '<=', sql<Date>`now()`)
    .returning(['amount_minor', 'state'])
    .executeTakeFirst()

/** Only of this provider's money: another one would know nothing of it. */
export const selectRefundsToTry = (
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

type Back = { amountMinor: number; doneMinor: number }

/** All of it is back for good, as the provider counts what came in and what went back. */
export const markRefunded = (db: Database, id: string, { amountMinor, doneMinor }: Back) =>
  db
    .updateTable('provider_payments')
    .set({
      state: 'refunded',
      amount_minor: amountMinor,
      given_back_minor: doneMinor,
      next_refund_at: null,
      refund_error: null,
    })
    .where('id', '=', id)
    .where('state', 'in', ['refund_due', 'refunding'])
    .execute()

type Accepted = {
  id: string
  amountMinor: number
  refundId: string | null
  retrySeconds: number
}

/**
 * The provider has taken the refund on; it is asked whether it is done after a pause that grows
 * with every time. Not so when it has said meanwhile that just this refund failed.
 */
export const markRefunding = (
  db: Database,
  { id, amountMinor, refundId, retrySeconds }: Accepted,
) =>
  db
    .updateTable('provider_payments')
    .set({
      state: 'refunding',
      amount_minor: amountMinor,
      refund_id: refundId,
      refund_asks: 0,
      next_refund_at: afterPause(retrySeconds, sql`0`),
    })
    .where('id', '=', id)
    .where('state', '=', 'refund_due')
    .where(sql<boolean>`(refund_id is distinct from ${refundId} or ${refundId}::text is null)`)
    .execute()

/** It was asked about and is not done: to be asked about again. */
export const noteRefundAsk = (db: Database, id: string, retrySeconds: number) =>
  db
    .updateTable('provider_payments')
    .set({
      refund_asks: sql<number>`refund_asks + 1`,
      next_refund_at: afterPause(retrySeconds, sql`refund_asks + 1`),
    })
    .where('id', '=', id)
    .where('state', '=', 'refunding')
    .execute()

/** Whoever does refunds next asks the provider about this one. */
export const askAboutRefundNow = (db: Database, id: string) =>
  db
    .updateTable('provider_payments')
    .set({ next_refund_at: sql`now()` })
    .where('id', '=', id)
    .where('state', 'in', ['refund_due', 'refunding'])
    .execute()

type Failed = { id: string; error: string; retrySeconds: number }

/** To be tried again after a pause that grows with every try. */
const failed = ({ error, retrySeconds }: Omit<Failed, 'id'>) => ({
  state: 'refund_due' as const,
  refund_error: error,
  refund_tries: sql<number>`refund_tries + 1`,
  next_refund_at: afterPause(retrySeconds, sql`refund_tries`),
})

type FailedTry = Failed & {
  taken: Row<'provider_payments'>['state']
  /** The provider's id of what failed; it has none where it would not even begin. */
  failedId?: string | undefined
}

/**
 * A refund that was due, or under way, failed; nothing when it is not as it was taken any more, or
 * the provider has reported meanwhile that just this refund failed: it counts once.
 */
export const noteFailedRefund = (db: Database, { id, taken, failedId, ...failure }: FailedTry) =>
  db
    .updateTable('provider_payments')
    .set({ ...failed(failure), ...(failedId && { refund_id: failedId }) })
    .where('id', '=', id)
    .where('state', '=', taken)
    .where(({ or, eb }) =>
      // of one under way the state would say so
      or([
        eb('state', '=', 'refunding'),
        ...(failedId ? [eb('refund_id', 'is distinct from', failedId)] : [eb.lit(true)]),
      ]),
    )
    .execute()

/**
 * The provider says that a refund failed. It counts once, also when it comes before the provider's
 * answer to who asked for the refund; and not when another one is under way by now.
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
        and([eb('state', '=', 'refund_due'), eb('refund_id', 'is distinct from', refundId)]),
        and([
          eb('state', '=', 'refunding'),
          or([eb('refund_id', 'is', null), eb('refund_id', '=', refundId)]),
        ]),
      ]),
    )
    .execute()

/**
 * Money that waits for longer than so many minutes, with the order that it was paid for. Nobody has
 * to claim what was paid for a cart: it waits until the provider tells of its order, or is asked no
 * more.
 */
export const selectUnclaimed = (db: Database, minutes: number, limit: number) =>
  db
    .selectFrom('provider_payments')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .where('state', '=', 'unclaimed')
    .where(({ or, eb }) =>
      or([eb('priced_cart', '=', false), eb('payments.next_ask_at', 'is', null)]),
    )
    .where(
      'provider_payments.created_at',
      '<=',
      sql<Date>`now() - ${minutes * 60}::float * interval '1 second'`,
    )
    .orderBy('provider_payments.created_at')
    .limit(limit)
    .select(['provider_payments.id', 'payments.id as paymentId'])
    .execute()
