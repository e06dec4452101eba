import { sql, type UpdateObject } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { changesRow, secondsFromNow } from '#app/shared/server/store.ts'
import type { Database, Row, Schema } from '#db/schema.ts'
import { pollSchedule } from '../backoff.ts'
import { refuseCapture } from '../capture-store.ts'
import type { OpenedProvider } from '../providers/provider.ts'
import type { Refusal } from '../refusals.ts'
import { leaseEnd } from '../store.ts'
import { before, IN_PROGRESS } from '../transitions.ts'

type State = Row<'refunds'>['state']

/** The rest of a capture: neither refunded, nor lost in a dispute. */
const leftMinor = sql<number>`(amount_minor - refunded_minor - disputed_minor)`

/**
 * Requests the refund of captured money that pays for nothing, and has none in progress. Money that is only
 * authorised is not refunded: the provider releases it.
 */
export const requestReturn = (tx: Database, captureId: string) =>
  sql`
    insert into refunds (id, capture_id, amount_minor, reason, state, next_attempt_at)
    select ${uuidv7()}::uuid, id, ${leftMinor}, refusal, 'pending', now()
    from captures cross join lateral refunds_of(id) as refunded
    where id = ${captureId}::uuid and purpose = 'nothing' and confirmed_at is not null
      and open_refund is null and ${leftMinor} > 0
    on conflict do nothing`.execute(tx)

/** Refuses a capture, and requests its refund. */
export async function returnCapture(
  tx: Database,
  id: string,
  refusal: Refusal,
  provider: OpenedProvider | undefined,
): Promise<void> {
  await refuseCapture(tx, id, refusal, provider)
  await requestReturn(tx, id)
}

/** A refund that a job has taken. */
export type TakenRefund = Pick<
  Row<'refunds'>,
  'id' | 'capture_id' | 'amount_minor' | 'state' | 'provider_refund_id' | 'attempt' | 'attempts'
> & {
  provider: string
  payment_id: string
  provider_payment_id: string
  /** The captured amount as far as the shop knows, in minor units. */
  paid_minor: number
  /** The sum of the refunds that are done. */
  refunded_minor: number
  /** Whether it is all that is left of the money. */
  is_rest: boolean
}

/** Whether the job may try a refund: not while the buyer's bank disputes the money, nor once it is resolved. */
const isTried = sql<boolean>`(
  (refunds.state <> 'failed' or captures.purpose = 'order' or captures.resolved_at is null)
  and not exists (select from disputes
    where disputes.capture_id = captures.id and disputes.state = 'open'))`

/** Takes a refund at one of these providers that is due, or whose progress is; only one job gets it. */
export const takeRefund = (
  db: Database,
  id: string,
  providers: string[],
): Promise<TakenRefund | undefined> =>
  db
    .updateTable('refunds')
    .from((eb) =>
      eb
        .selectFrom('captures')
        .innerJoinLateral(
          sql<{ refunded_minor: number }>`refunds_of(captures.id)`.as('refunded'),
          (join) => join.onTrue(),
        )
        .select([
          'captures.id',
          'payment_id',
          'provider',
          'provider_payment_id',
          'purpose',
          'resolved_at',
        ])
        .select(['amount_minor as paid_minor', 'disputed_minor', 'refunded_minor'])
        .as('captures'),
    )
    // the provider may make the refund of this request
    .set({
      next_attempt_at: leaseEnd(),
      state: sql`case refunds.state when 'failed' then 'pending' else refunds.state end`,
    })
    .where('refunds.id', '=', id)
    .whereRef('captures.id', '=', 'refunds.capture_id')
    .where('provider', 'in', providers)
    .where('refunds.next_attempt_at', '<=', sql<Date>`now()`)
    .where(isTried)
    .returning(['refunds.id', 'refunds.capture_id', 'refunds.amount_minor', 'refunds.state'])
    .returning(['provider_refund_id', 'attempt', 'attempts', 'provider_payment_id'])
    .returning(['paid_minor', 'refunded_minor', 'provider'])
    .returning([
      sql<string>`payment_id`.as('payment_id'),
      sql<boolean>`refunds.amount_minor + refunded_minor >= paid_minor and disputed_minor = 0`.as(
        'is_rest',
      ),
    ])
    .executeTakeFirst()

/** The ids of the refunds that are due at these providers, or of a capture, the oldest first. */
export const selectDueRefunds = async (
  db: Database,
  providers: string[],
  { captureId, limit }: { captureId?: string; limit: number },
): Promise<string[]> => {
  const due = await db
    .selectFrom('refunds')
    .innerJoin('captures', 'captures.id', 'capture_id')
    .where('provider', 'in', providers)
    .where('next_attempt_at', '<=', sql<Date>`now()`)
    .where(isTried)
    .$if(captureId !== undefined, (rest) => rest.where('capture_id', '=', captureId ?? ''))
    .orderBy('next_attempt_at')
    .limit(limit)
    .select('refunds.id')
    .execute()
  return due.map(({ id }) => id)
}

/** Changes a refund to this state, if it may follow its own; answers whether it may. */
const move = (tx: Database, id: string, state: State, set: UpdateObject<Schema, 'refunds'>) =>
  changesRow(
    tx
      .updateTable('refunds')
      .set({ ...set, state })
      .where('id', '=', id)
      .where('state', 'in', before('refunds', state)),
  )

/** The refund is complete. */
export const markDone = (tx: Database, id: string, amountMinor: number): Promise<boolean> =>
  move(tx, id, 'done', {
    done_at: sql<Date>`now()`,
    amount_minor: amountMinor,
    next_attempt_at: null,
    last_error: null,
  })

/** The provider has accepted the refund; its progress is polled after the pause. */
export const markAccepted = (
  db: Database,
  { id, refundId, pauseSeconds }: { id: string; refundId: string | null; pauseSeconds: number },
) =>
  move(db, id, 'accepted', {
    provider_refund_id: refundId,
    last_error: null,
    next_attempt_at: secondsFromNow(pauseSeconds),
  })

/** The request had no answer, or the refund is still in progress: requested or polled again after the pause. */
export const noteAttempt = (
  db: Database,
  {
    id,
    state,
    error,
    pauseSeconds,
  }: { id: string; state: State; error?: string; pauseSeconds: number },
) =>
  db
    .updateTable('refunds')
    .set({ attempts: sql<number>`attempts + 1`, next_attempt_at: secondsFromNow(pauseSeconds) })
    .$if(error !== undefined, (rest) => rest.set({ last_error: error ?? null }))
    .where('id', '=', id)
    .where('state', '=', state)
    .execute()

/** The provider has made no refund of this request: the next one is another refund. */
export const markFailed = (
  db: Database,
  { id, error, pauseSeconds }: { id: string; error: string; pauseSeconds: number },
) =>
  move(db, id, 'failed', {
    provider_refund_id: null,
    last_error: error,
    attempts: sql<number>`attempts + 1`,
    attempt: sql<number>`attempt + 1`,
    next_attempt_at: secondsFromNow(pauseSeconds),
  })

/** The refunds of captures that are over without being made: it was given up, or the money was lost. */
export const giveUpRefunds = (tx: Database, captureIds: string[]): Promise<boolean> =>
  changesRow(
    tx
      .updateTable('refunds')
      .set({ state: 'given_up', next_attempt_at: null })
      .where('capture_id', 'in', captureIds)
      .where('state', 'in', before('refunds', 'given_up')),
  )

/** The money of captures was released: what was to be refunded is with its buyer. Answers the refunds. */
export const markReleased = (tx: Database, captureIds: string[]) =>
  tx
    .updateTable('refunds')
    .set({ state: 'done', done_at: sql`now()`, next_attempt_at: null, last_error: null })
    .where('capture_id', 'in', captureIds)
    .where('state', 'in', before('refunds', 'given_up'))
    .returning('id')
    .execute()

/**
 * Makes the poll of an accepted refund due now, and the next attempt of one that was refused: the merchant may
 * have made it. A refund whose request is in flight stays its job's own: a second request would refund twice.
 */
export const expediteRefund = (
  db: Database,
  captureId: string,
  states: State[] = ['accepted', 'failed'],
) =>
  db
    .updateTable('refunds')
    .set({ next_attempt_at: sql<Date>`now()` })
    .where('capture_id', '=', captureId)
    .where('state', 'in', states)
    .execute()

/** The captured amount as the provider has it. */
export const setCapturedAmount = (tx: Database, id: string, amountMinor: number) =>
  tx
    .updateTable('captures')
    .set({ amount_minor: amountMinor })
    .where('id', '=', id)
    .where('amount_minor', '!=', amountMinor)
    .execute()

/**
 * Stores what was refunded at the provider, and not by the shop, as a refund; answers its id, or null when
 * there is no more than the shop knows of. Does nothing while the shop refunds the money itself. The caller
 * has locked the payment: another report of the same refund would store it, too.
 */
export async function insertRefundElsewhere(
  tx: Database,
  captureId: string,
  refundedMinor: number,
): Promise<string | null> {
  const id = uuidv7()
  const { numAffectedRows = 0n } = await sql`
    with captured as (
      select id, refunded_minor from captures cross join lateral refunds_of(id) as refunded
      where id = ${captureId}::uuid and open_refund is null and refunded_minor < ${refundedMinor}::bigint
    ),
    noted as (
      update captures set issue = 'refunded_elsewhere', resolved_at = null, resolution_note = null
      from captured where captures.id = captured.id and purpose = 'order'
    )
    insert into refunds (id, capture_id, amount_minor, state, done_at)
    select ${id}::uuid, id, ${refundedMinor}::bigint - refunded_minor, 'done', now()
    from captured`.execute(tx)
  return numAffectedRows > 0n ? id : null
}

/** For how long the provider's list may lack a refund. */
const LAG_SECONDS = 60 * 60

/**
 * Notes that the provider has refunded less than the shop knows of, until it has refunded as much. Of a new
 * refund its list may not tell yet. Another issue stays.
 */
export const noteRefundMissing = (tx: Database, captureId: string, refundedMinor: number) =>
  sql`
    update captures
    set issue = case when refunded.minor > ${refundedMinor}::bigint then 'refund_missing' end,
      resolved_at = null, resolution_note = null
    from (select sum(amount_minor) as minor, max(done_at) as last_at from refunds
      where capture_id = ${captureId}::uuid and state = 'done') as refunded
    where id = ${captureId}::uuid and coalesce(issue, 'refund_missing') = 'refund_missing'
      and (refunded.minor > ${refundedMinor}::bigint) is distinct from (issue is not null)
      and (refunded.minor <= ${refundedMinor}::bigint or last_at <= ${secondsFromNow(-LAG_SECONDS)})
      and not exists (select from refunds
        where capture_id = captures.id and state = any(${IN_PROGRESS}::text[]))`.execute(tx)

/** The polls of a payment whose money went back go on: they find another payment of its order. */
export const pollRefunded = (tx: Database, paymentId: string) =>
  tx
    .updateTable('payments')
    .set({ attempts: 0, next_attempt_at: secondsFromNow(pollSchedule(0, 0).decided) })
    .where('id', '=', paymentId)
    .where('next_attempt_at', 'is', null)
    .execute()
