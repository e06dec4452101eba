import { sql } from 'kysely'
import {
  anyOf,
  countBy,
  countChanged,
  countRows,
  secondsFromNow,
} from '#app/shared/server/store.ts'
import type { Database, Row } from '#db/schema.ts'
import type { EmailKind } from '../admin-contract.ts'
import type { EmailFacts } from './facts.ts'

/** A row with the facts of its kind. */
export type EmailRow = Omit<Row<'emails'>, 'kind' | 'facts'> & EmailFacts

type NewRow = EmailFacts & {
  id: string
  userId: string
  recipient: string
  orderId?: string
  expiresInSeconds?: number
}

const THREE_DAYS = 3 * 24 * 60 * 60

/** Sent as if it had just been queued, for three days. */
export const QUEUED_ANEW = {
  state: 'queued',
  next_attempt_at: sql<Date>`now()`,
  expires_at: secondsFromNow(THREE_DAYS),
  attempts: 0,
  last_error: null,
} as const

/**
 * Inserts an e-mail unless its account is closed. Waits for one that is being closed, and locks it, so
 * that no e-mail is left of a closed account.
 */
export const insertEmail = (
  tx: Database,
  { id, userId, kind, facts, recipient, orderId, expiresInSeconds = THREE_DAYS }: NewRow,
) =>
  tx
    .insertInto('emails')
    .columns(['id', 'user_id', 'kind', 'order_id', 'recipient', 'facts', 'expires_at'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select([
          sql<string>`${id}::uuid`.as('id'),
          'users.id as user_id',
          sql<EmailKind>`${kind}::text`.as('kind'),
          sql<string | null>`${orderId ?? null}::uuid`.as('order_id'),
          sql<string>`${recipient}::text`.as('recipient'),
          sql<string>`${JSON.stringify(facts)}::jsonb`.as('facts'),
          secondsFromNow(expiresInSeconds).as('expires_at'),
        ])
        .where('users.id', '=', userId)
        .where('closed_at', 'is', null)
        .forKeyShare(),
    )
    .execute()

export const countEmailsSince = (
  db: Database,
  { userId, kind, seconds }: { userId: string; kind: EmailKind; seconds: number },
): Promise<number> =>
  countRows(
    db
      .selectFrom('emails')
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .where('created_at', '>', secondsFromNow(-seconds)),
  )

export const deleteEmailsOfUser = (tx: Database, userId: string) =>
  tx.deleteFrom('emails').where('user_id', '=', userId).execute()

/**
 * Takes the e-mail that is due first: no other job sends it until the lease ends. A job that dies keeps
 * it no longer.
 */
export async function takeEmail(db: Database, leaseSeconds: number): Promise<EmailRow | undefined> {
  const taken = await db
    .updateTable('emails')
    .set({ attempts: sql<number>`attempts + 1`, next_attempt_at: secondsFromNow(leaseSeconds) })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('emails')
        .select('id')
        .where('state', '=', 'queued')
        .where('next_attempt_at', '<=', sql<Date>`now()`)
        .orderBy('next_attempt_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()
  return taken as EmailRow | undefined
}

/** Extends the lease of an e-mail that is still being sent. */
export const extendLease = (
  db: Database,
  { id, attempts }: Pick<Row<'emails'>, 'id' | 'attempts'>,
  leaseSeconds: number,
) =>
  db
    .updateTable('emails')
    .set({ next_attempt_at: secondsFromNow(leaseSeconds) })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .where('attempts', '=', attempts)
    .execute()

/** The end of an attempt. */
export type Outcome =
  | { state: 'sent' | 'kept' }
  | { state: 'bounced'; error: string }
  | { state: 'queued'; error: string; pauseSeconds: number }

/** Stores the end of an attempt. Does nothing when the lease has ended and another job has taken it. */
export const updateOutcome = (
  db: Database,
  { id, attempts }: Pick<Row<'emails'>, 'id' | 'attempts'>,
  outcome: Outcome,
) =>
  db
    .updateTable('emails')
    .set({
      state: outcome.state,
      sent_at: outcome.state === 'sent' ? sql<Date>`now()` : null,
      next_attempt_at: outcome.state === 'queued' ? secondsFromNow(outcome.pauseSeconds) : null,
      last_error: 'error' in outcome ? outcome.error : null,
    })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .where('attempts', '=', attempts)
    .execute()

/** Ends the due e-mails that no server has accepted in time. */
export const failExpired = (db: Database, error: string) =>
  db
    .updateTable('emails')
    .set({
      state: 'failed',
      next_attempt_at: null,
      last_error: sql<string>`coalesce(last_error, ${error})`,
    })
    .where('state', '=', 'queued')
    .where('expires_at', '<=', sql<Date>`now()`)
    .where('next_attempt_at', '<=', sql<Date>`now()`)
    .execute()

/** Queues the parked e-mails, for three days; resolves with their number. */
export const releaseParked = (db: Database): Promise<number> =>
  countChanged(db.updateTable('emails').set(QUEUED_ANEW).where('state', '=', 'parked'))

/** Deletes the parked e-mails; resolves with their number. */
export const deleteParked = (db: Database): Promise<number> =>
  countChanged(db.deleteFrom('emails').where('state', '=', 'parked'))

/** Deletes e-mails of so many days ago. Queued and parked ones are left out. */
export const deleteOldEmails = (db: Database, days: number) =>
  db
    .deleteFrom('emails')
    .where('state', 'not in', ['queued', 'parked'])
    .where('created_at', '<', secondsFromNow(-days * 24 * 60 * 60))
    .execute()

/** Those of these ids that are ids of e-mails. */
export async function selectExisting(db: Database, ids: string[]): Promise<Set<string>> {
  const rows = await db.selectFrom('emails').where('id', '=', anyOf(ids)).select('id').execute()
  return new Set(rows.map(({ id }) => id))
}

export const countEmailsByState = (db: Database): Promise<Record<string, number>> =>
  countBy(db.selectFrom('emails'), 'state')
