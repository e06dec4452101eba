import { sql } from 'kysely'
import type { Database, Row } from '#db/schema.ts'
import { afterPause, LEASE } from './pauses-store.ts'

/** Takes on a refund whose time has come: its amount in minor units, for one taker at a time. */
export const claimRefund = (db: Database, id: string) =>
  db
    .updateTable('provider_payments')
    .set({ next_refund_at: LEASE })
    .where('id', '=', id)
    .where('state', '=', 'refund_due')
    .where('next_refund_at', '<=', sql<Date>`now()`)
    .returning('amount_minor')
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
    .where('state', '=', 'refund_due')
    .where('next_refund_at', '<=', sql<Date>`now()`)
    .orderBy('next_refund_at')
    .limit(limit)
    .execute()

export const markRefunded = (db: Database, id: string) =>
  db
    .updateTable('provider_payments')
    .set({ state: 'refunded', next_refund_at: null, refund_error: null })
    .where('id', '=', id)
    .where('state', '=', 'refund_due')
    .execute()

type Failed = { id: string; error: string; retrySeconds: number }

/** It stays due: to be tried again after a pause that grows with every try. */
export const noteFailedRefund = (db: Database, { id, error, retrySeconds }: Failed) =>
  db
    .updateTable('provider_payments')
    .set({
      refund_error: error,
      refund_tries: sql<number>`refund_tries + 1`,
      next_refund_at: afterPause(retrySeconds, sql`refund_tries`),
    })
    .where('id', '=', id)
    .where('state', '=', 'refund_due')
    .execute()

/** The provider took a refund on, and now says that it failed: it is due again. */
export const reopenRefund = (db: Database, { id, error, retrySeconds }: Failed) =>
  db
    .updateTable('provider_payments')
    .set({
      state: 'refund_due',
      refund_error: error,
      refund_tries: sql<number>`refund_tries + 1`,
      next_refund_at: afterPause(retrySeconds, sql`refund_tries`),
    })
    .where('id', '=', id)
    .where('state', '=', 'refunded')
    .execute()

/** Money that waits for longer than so many minutes, with the order that it was paid for. */
export const selectUnclaimed = (db: Database, minutes: number, limit: number) =>
  db
    .selectFrom('provider_payments')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .where('state', '=', 'unclaimed')
    .where(
      'provider_payments.created_at',
      '<=',
      sql<Date>`now() - ${minutes * 60}::float * interval '1 second'`,
    )
    .orderBy('provider_payments.created_at')
    .limit(limit)
    .select(['provider_payments.id', 'payments.id as paymentId'])
    .execute()
