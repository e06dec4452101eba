/** Lists of refunds: a buyer's money that bought nothing, and what the doctor compares. */
import { sql } from 'kysely'
import type { RefundState } from '#app/payments/refund-contract.ts'
import { countRows } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'

/** Money of a buyer that bought nothing: only such money has a refusal. */
const refusedOf = (db: Database, userId: string) =>
  db
    .selectFrom('captures')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .where('payments.user_id', '=', userId)
    .where('refusal', 'is not', null)

/** How far money that bought nothing is on its way back. */
const RETURN_STATE = sql<RefundState>`(
  select case
    when voided_at is not null then 'voided'
    when open_refund = 'accepted' then 'refunding'
    when open_refund = 'failed' then 'refund_refused'
    when open_refund is null and (refunds > 0 or refunded_minor + disputed_minor >= captures.amount_minor)
      then 'refunded'
    -- nobody asks the provider any more
    when confirmed_at is null and (select next_attempt_at is null from payments
      where payments.id = captures.payment_id) then 'refund_refused'
    else 'refund_pending' end
  from refunds_of(captures.id))`

/** The same of one capture. */
export async function selectReturnState(db: Database, captureId: string): Promise<RefundState> {
  const { state } = await db
    .selectFrom('captures')
    .where('id', '=', captureId)
    .select(RETURN_STATE.as('state'))
    .executeTakeFirstOrThrow()
  return state
}

/** A page of a buyer's refunds, newest first. */
export const selectRefundsOf = (
  db: Database,
  userId: string,
  { limit, offset }: { limit: number; offset: number },
) =>
  refusedOf(db, userId)
    .orderBy('received_at', 'desc')
    .orderBy('captures.id')
    .limit(limit)
    .offset(offset)
    .select(['provider_payment_id as id', 'captures.amount_minor', 'captures.currency'])
    .select(['received_at', RETURN_STATE.as('state'), sql<string>`refusal`.as('refusal')])
    .execute()

export type RefundRow = Awaited<ReturnType<typeof selectRefundsOf>>[number]

export const countRefundsOf = (db: Database, userId: string): Promise<number> =>
  countRows(refusedOf(db, userId))

/**
 * Captured money at a provider that was started with its key and is not being refunded: refunded money first,
 * then the newest.
 */
export function selectRefundedAt(
  db: Database,
  { name, publicKey }: { name: string; publicKey: string },
  limit: number,
) {
  const captured = db
    .selectFrom('captures')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .where('captures.provider', '=', name)
    .where('public_key', '=', publicKey)
    .where('confirmed_at', 'is not', null)
    .orderBy('captures.id', 'desc')
    .limit(limit)
    .select('captures.id')
  const isRefunded = sql<boolean>`captures.id in (select capture_id from refunds where state = 'done')`
  return db
    .selectFrom('captures')
    .innerJoinLateral(
      sql<{ refunded_minor: number; open_refund: string | null }>`refunds_of(captures.id)`.as(
        'refunded',
      ),
      (join) => join.onTrue(),
    )
    .where(({ or, eb }) =>
      or([eb('captures.id', 'in', captured.where(isRefunded)), eb('captures.id', 'in', captured)]),
    )
    .where('open_refund', 'is', null)
    .orderBy(sql`refunded_minor > 0`, 'desc')
    .orderBy('received_at', 'desc')
    .limit(limit)
    .select(['provider_payment_id as id', 'refunded_minor'])
    .execute()
}
