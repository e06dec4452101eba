import { sql } from 'kysely'
import { startOfDay } from '#app/shared/server/settings/day-store.ts'
import {
  anyOf,
  changesRow,
  containing,
  countBy,
  countChanged,
  countRows,
  secondsFromNow,
} from '#app/shared/server/store.ts'
import { PREPARED } from '#db/prepared.ts'
import type { Database, Row } from '#db/schema.ts'
import {
  type EmailState,
  type EmailView,
  RETRYABLE_STATES,
  UNDELIVERED_STATES,
} from '../admin-contract.ts'
import type { EmailFacts } from './facts.ts'

/** A row with the facts of its kind. */
export type EmailRow = Omit<Row<'emails'>, 'kind' | 'facts'> & EmailFacts

export const deleteEmailsOfUser = (tx: Database, userId: string) =>
  tx.deleteFrom('emails').where('user_id', '=', userId).execute()

/** E-mails taken by one statement. */
const MAX_TAKEN = 40

/** The attempt to send an e-mail: its row, and the number of the attempt. */
export type Attempt = Pick<Row<'emails'>, 'id' | 'attempts'>

/**
 * Takes the e-mails that are due first: no other job sends them until the lease ends. A job that dies keeps
 * them no longer.
 */
export async function takeEmails(db: Database, leaseSeconds: number): Promise<EmailRow[]> {
  const { rows } = await sql<EmailRow>`
    ${PREPARED} with due as (
      select id from emails
      where state = 'queued' and next_attempt_at <= now()
      order by next_attempt_at limit ${sql.lit(MAX_TAKEN)} for update skip locked
    ), taken as (
      update emails set attempts = attempts + 1, next_attempt_at = ${secondsFromNow(leaseSeconds)}
      from due where emails.id = due.id returning emails.*
    )
    select * from taken order by id`.execute(db)
  return rows
}

/**
 * A table of attempts, at most those of two batches; with it, a statement changes only e-mails that no other
 * job has taken since. By its limit, the next power of two, the planner knows how few there are, and reads no other
 * e-mails.
 */
const tableOf = (attempts: readonly Attempt[]) => sql`(
  select * from jsonb_to_recordset(${JSON.stringify(attempts)}::jsonb) as attempt(
    id uuid, attempts smallint, state text, error text, "pauseSeconds" integer)
  limit ${sql.lit(2 ** Math.ceil(Math.log2(attempts.length)))}) as attempt`

/** Queued e-mails alone have a next attempt. By their state, an index would be read with all that has left the queue. */
const IS_OWN = sql`emails.id = attempt.id and emails.attempts = attempt.attempts
  and emails.next_attempt_at is not null`

/** Extends the lease of e-mails that are still to be sent; answers their ids. */
export async function extendLeases(db: Database, attempts: Attempt[], leaseSeconds: number) {
  const { rows } = await sql<{ id: string }>`
    update emails set next_attempt_at = ${secondsFromNow(leaseSeconds)}
    from ${tableOf(attempts)} where ${IS_OWN} returning emails.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Returns e-mails that were taken and not tried. */
export const returnEmails = (db: Database, attempts: Attempt[]) =>
  sql`
    update emails set next_attempt_at = now(), attempts = emails.attempts - 1
    from ${tableOf(attempts)} where ${IS_OWN}`.execute(db)

/** The end of an attempt. */
export type Outcome =
  | { state: 'sent' | 'kept' }
  | { state: 'bounced'; error: string }
  | { state: 'queued'; error: string; pauseSeconds: number }

/** Stores the ends of attempts. Leaves out an e-mail whose lease has ended and that another job has taken. */
export const updateOutcomes = (db: Database, outcomes: (Attempt & Outcome)[]) =>
  sql`
    ${PREPARED} update emails set
      state = attempt.state,
      sent_at = case when attempt.state = 'sent' then now() end,
      next_attempt_at = now() + "pauseSeconds" * interval '1 second',
      last_error = error
    from ${tableOf(outcomes)} where ${IS_OWN}`.execute(db)

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

/** The values of an e-mail that is queued again: it is tried at once, and for three days, like a new one. */
const REQUEUED = {
  state: 'queued',
  next_attempt_at: sql<Date>`default`,
  expires_at: sql<Date>`default`,
  attempts: 0,
  last_error: null,
} as const

/** Queues the parked e-mails; resolves with their number. */
export const releaseParked = (db: Database): Promise<number> =>
  countChanged(db.updateTable('emails').set(REQUEUED).where('state', '=', 'parked'))

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

/** The ids among these that are ids of e-mails. */
export async function selectExisting(db: Database, ids: string[]): Promise<Set<string>> {
  const rows = await db.selectFrom('emails').where('id', '=', anyOf(ids)).select('id').execute()
  return new Set(rows.map(({ id }) => id))
}

export const countEmailsByState = (db: Database): Promise<Record<string, number>> =>
  countBy(db.selectFrom('emails'), 'state')

type Filter = {
  state?: EmailView | undefined
  q: string
  /** Both days are inclusive. */
  from?: string | undefined
  to?: string | undefined
}
type Slice = { limit: number; offset: number }

const statesOf = (view: EmailView | undefined): EmailState[] =>
  view === 'undelivered' ? [...UNDELIVERED_STATES] : view ? [view] : []

/** With a text, the e-mails of users whose name or e-mail contains it, who are found by an index. */
const among = (db: Database, { state, q, from = '', to = '' }: Filter) =>
  db
    .selectFrom('emails')
    .$if(state !== undefined, (all) => all.where('state', 'in', statesOf(state)))
    .$if(from !== '', (all) => all.where('created_at', '>=', startOfDay(from)))
    .$if(to !== '', (all) => all.where('created_at', '<', startOfDay(to, 1)))
    .$if(q !== '', (all) =>
      all.where('user_id', 'in', (eb) =>
        eb.selectFrom('users').where('search', 'like', containing(q)).select('users.id'),
      ),
    )

/** A page of e-mails, newest first: ids are UUIDv7, so their order is that of creation. */
export const selectEmails = (db: Database, filter: Filter, { limit, offset }: Slice) =>
  among(db, filter)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .selectAll()
    .$castTo<EmailRow>()
    .execute()

export const countEmails = (db: Database, filter: Filter): Promise<number> =>
  countRows(among(db, filter))

export const selectEmail = (db: Database, id: string) =>
  db.selectFrom('emails').where('id', '=', id).selectAll().$castTo<EmailRow>().executeTakeFirst()

/** Queues an e-mail again. False when it is in no such state. */
export const requeueEmail = (tx: Database, id: string): Promise<boolean> =>
  changesRow(
    tx
      .updateTable('emails')
      .set(REQUEUED)
      .where('id', '=', id)
      .where('state', 'in', [...RETRYABLE_STATES]),
  )

type WarningRow = EmailRow & { kind: 'settings_changed' }

/** The newest warnings to an admin that no server has accepted and that are not read. */
export async function selectWarnings(db: Database, userId: string): Promise<WarningRow[]> {
  const { rows } = await sql<WarningRow>`
    select * from emails
    where user_id = ${userId} and kind = 'settings_changed' and not facts ? 'isRead'
      and state <> 'sent' and (state <> 'queued' or last_error is not null)
    order by id desc limit 20`.execute(db)
  return rows
}

/** Marks warnings to an admin as read. */
export const markRead = (db: Database, userId: string, ids: string[]) =>
  sql`
    update emails set facts = facts || '{"isRead": true}'
    where user_id = ${userId} and id = ${anyOf(ids)} and kind = 'settings_changed'`.execute(db)
