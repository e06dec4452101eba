import { sql } from 'kysely'
import { changesRow, secondsFromNow } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'
import { pollSchedule } from '../backoff.ts'
import { leaseEnd } from '../store.ts'

/** A refund that a job has taken. */
export type TakenRefund = {
  /** The shop's id of the payment. */
  id: string
  provider: string
  /** The provider's id. */
  money: string
  /** The captured amount as far as the shop knows, in minor units. */
  storedMinor: number
  /** The sum of all refunds after this one; null: everything. */
  refund_minor: number | null
  /** The sum of the refunds before it. */
  refunded_minor: number
  refund_accepted: boolean
  /** The provider's id of the refund that it has accepted, where that is known. */
  refund_id: string | null
  /** The number of the refund: a repeated request has the same. */
  refund_attempt: number
  attempts: number
}

export const paidMinor = sql<number>`coalesce(paid_minor, amount_minor)`

/** Whether the job may try a refund: not while the buyer's bank disputes the money, nor once it is resolved. */
const isTried = sql<boolean>`(refusal is null or not refund_refused or resolved_at is null) and not exists (
  select from disputes where payment_id = payments.id and disputes.state = 'open')`

/** Takes a refund at one of these providers that is due, or whose progress is; only one job gets it. */
export const takeRefund = (
  db: Database,
  id: string,
  providers: string[],
): Promise<TakenRefund | undefined> =>
  db
    .updateTable('payments')
    // refused no longer: the provider may make the refund of this request
    .set({ next_attempt_at: leaseEnd(), refund_refused: false })
    .where('id', '=', id)
    .where('provider', 'in', providers)
    .where('state', '=', 'refund_pending')
    .where('next_attempt_at', '<=', sql<Date>`now()`)
    .where(isTried)
    .returning(['id', 'refund_minor', 'refunded_minor', 'refund_accepted', 'refund_id'])
    .returning(['refund_attempt', 'attempts', 'provider'])
    // money that is to be refunded has an id
    .returning([sql<string>`provider_payment_id`.as('money'), paidMinor.as('storedMinor')])
    .executeTakeFirst()

/** A refund that is due. */
type DueRefund = {
  id: string
  /** The payment for which the money came in. */
  paymentId: string
  /** Whether the provider has not confirmed the money: it may never come in. */
  isUnconfirmed: boolean
}

/** The refunds that are due at this provider, the oldest first. */
export const selectDueRefunds = (
  db: Database,
  provider: string,
  limit: number,
): Promise<DueRefund[]> =>
  db
    .selectFrom('payments')
    .select('id')
    .select(sql<string>`coalesce(surplus_of, id)`.as('paymentId'))
    .select(sql<boolean>`confirmed_at is null`.as('isUnconfirmed'))
    .where('provider', '=', provider)
    .where('state', '=', 'refund_pending')
    .where('next_attempt_at', '<=', sql<Date>`now()`)
    .where(isTried)
    .orderBy('next_attempt_at')
    .limit(limit)
    .execute()

/** For how long the provider's list may lack a refund. */
const LAG_SECONDS = 60 * 60

type RefundResult = {
  amountMinor: number
  refundedMinor: number
  /** The `refund_minor` of the request that was answered: a newer one may have been made meanwhile. */
  requestedMinor?: number | null
}

/** The polls of a payment that is refunded go on: they find another payment of its order. */
const { decided: DECIDED_POLL } = pollSchedule(0, 0)

const REFUNDED_ELSEWHERE = {
  issue: 'refunded_elsewhere',
  resolved_at: null,
  resolution_note: null,
} as const

/** The refund is complete. Does nothing when another amount was requested meanwhile. */
export const markRefunded = (
  db: Database,
  id: string,
  { amountMinor, refundedMinor, requestedMinor }: RefundResult,
) =>
  db
    .updateTable('payments')
    .set({
      state: 'refunded',
      paid_minor: amountMinor,
      refunded_minor: refundedMinor,
      refunded_at: sql<Date>`now()`,
      refund_accepted: false,
      refund_refused: false,
      attempts: 0,
      next_attempt_at: sql<Date | null>`case when surplus_of is null
        then ${secondsFromNow(DECIDED_POLL)} end`,
      last_error: null,
    })
    // more than was requested: somebody else has refunded, too
    .$if(refundedMinor > (requestedMinor ?? amountMinor), (rest) => rest.set(REFUNDED_ELSEWHERE))
    .where('id', '=', id)
    .where('state', '=', 'refund_pending')
    .$if(requestedMinor !== undefined, (rest) =>
      rest.where('refund_minor', 'is not distinct from', requestedMinor ?? null),
    )
    .execute()

/** The columns of an order's payment whose pending refund is over. */
export const GIVEN_UP = {
  state: sql<'captured'>`(case when refunded_minor > 0 then 'refunded' else 'captured' end)::payment_state`,
  refund_minor: sql<number | null>`nullif(refunded_minor, 0)`,
  refund_reason: sql<string | null>`case when refunded_minor > 0 then refund_reason end`,
  refund_refused: false,
  attempts: 0,
  last_error: null,
  next_attempt_at: secondsFromNow(DECIDED_POLL),
}

type Accepted = { id: string; amountMinor: number; refundId: string | null; pauseSeconds: number }

/** The provider has accepted the refund; its progress is polled after the pause. */
export const markAccepted = (db: Database, { id, amountMinor, refundId, pauseSeconds }: Accepted) =>
  db
    .updateTable('payments')
    .set({
      refund_accepted: true,
      refund_refused: false,
      paid_minor: amountMinor,
      refund_id: refundId,
      next_attempt_at: secondsFromNow(pauseSeconds),
    })
    .where('id', '=', id)
    .where('state', '=', 'refund_pending')
    .where('refund_accepted', '=', false)
    .execute()

/** The refund is still in progress: polled again after the pause. */
export const noteRefundPoll = (db: Database, id: string, pauseSeconds: number) =>
  db
    .updateTable('payments')
    .set({ attempts: sql<number>`attempts + 1`, next_attempt_at: secondsFromNow(pauseSeconds) })
    .where('id', '=', id)
    .where('state', '=', 'refund_pending')
    .where('refund_accepted', '=', true)
    .execute()

/**
 * Makes the poll of an accepted refund due now. A refund whose request is in flight stays its job's own:
 * a second request would refund twice.
 */
export const expediteRefund = (db: Database, id: string) =>
  db
    .updateTable('payments')
    .set({ next_attempt_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', '=', 'refund_pending')
    .where('refund_accepted', '=', true)
    .execute()

type FailedAttempt = {
  id: string
  error: string
  pauseSeconds: number
  /** Whether the provider had accepted the refund when the job took it. */
  wasAccepted: boolean
  /** Whether the provider has made no refund of this request: the next one is another refund. */
  isRefused: boolean
}

/**
 * A refund failed and is tried again after the pause. Does nothing when the row has changed by now.
 */
export const noteFailedRefund = (
  db: Database,
  { id, error, pauseSeconds, wasAccepted, isRefused }: FailedAttempt,
) =>
  db
    .updateTable('payments')
    .set({
      refund_accepted: false,
      // money that was never confirmed may have failed: then nothing has to be refunded
      refund_refused: isRefused ? sql`refusal is null or confirmed_at is not null` : false,
      refund_id: null,
      last_error: error,
      attempts: sql<number>`attempts + 1`,
      next_attempt_at: secondsFromNow(pauseSeconds),
    })
    .$if(isRefused, (rest) => rest.set({ refund_attempt: sql<number>`refund_attempt + 1` }))
    .where('id', '=', id)
    .where('state', '=', 'refund_pending')
    .where('refund_accepted', '=', wasAccepted)
    .execute()

/**
 * Stores that more of a payment was refunded at the provider than the shop knows of. An order whose money
 * it was stays as it is, and needs attention. Does nothing while the shop refunds the payment itself.
 */
export const noteRefundElsewhere = (tx: Database, id: string, minor: number) =>
  tx
    .updateTable('payments')
    .set({
      refunded_minor: minor,
      refunded_at: sql<Date>`now()`,
      state: sql`case state when 'captured' then 'refunded' else state end`,
      issue: sql`case when refusal is null and state in ('captured', 'refunded')
        then 'refunded_elsewhere' else issue end`,
      resolved_at: null,
      resolution_note: null,
    })
    .where('id', '=', id)
    .where('state', '!=', 'refund_pending')
    .where('refunded_minor', '<', minor)
    .execute()

/**
 * Notes that the provider has refunded less, until it has refunded as much. Of a new refund its list may
 * not tell yet.
 */
export const noteRefundMissing = (tx: Database, id: string, minor: number) =>
  tx
    .updateTable('payments')
    .set({
      issue: sql`case when refunded_minor > ${minor}::bigint then 'refund_missing' end`,
      resolved_at: null,
      resolution_note: null,
    })
    .where('id', '=', id)
    .where('state', '=', 'refunded')
    // another issue stays
    .where(({ or, eb }) => or([eb('issue', 'is', null), eb('issue', '=', 'refund_missing')]))
    .where(sql<boolean>`(refunded_minor > ${minor}::bigint) is distinct from (
      issue is not distinct from 'refund_missing')`)
    .where(sql<boolean>`(refunded_minor <= ${minor}::bigint
      or refunded_at is null or refunded_at <= ${secondsFromNow(-LAG_SECONDS)})`)
    .execute()

/**
 * An admin gives up the refund of an order; false when the provider has accepted it, or may have made it.
 * `isAtOther`: the shop is not connected to its provider any more.
 * The refund is polled once more, because the provider may have another opinion.
 */
export const markGivenUp = (
  tx: Database,
  { id, isAtOther }: { id: string; isAtOther: boolean },
): Promise<boolean> =>
  changesRow(
    tx
      .updateTable('payments')
      .set(GIVEN_UP)
      .where('id', '=', id)
      .where('state', '=', 'refund_pending')
      .where('refusal', 'is', null)
      .where('refund_accepted', '=', false)
      .$if(!isAtOther, (rest) => rest.where('refund_refused', '=', true)),
  )

/**
 * Undecided money older than so many minutes. Money for a quote is not among it as long as the provider
 * is polled: the provider has not told of its order yet.
 */
export const selectUnmatched = (db: Database, minutes: number, limit: number) =>
  db
    .selectFrom('payments')
    .where('state', 'in', ['created', 'expired'])
    .where('provider_payment_id', 'is not', null)
    .where(({ or, eb }) => or([eb('quote', 'is', null), eb('next_attempt_at', 'is', null)]))
    .where('received_at', '<=', secondsFromNow(-60 * minutes))
    .orderBy('received_at')
    .limit(limit)
    .select('id')
    .execute()
