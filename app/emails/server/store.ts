import { sql } from 'kysely'
import { REQUEUED, type WithEvent } from '#app/shared/server/outbox/deliveries-store.ts'
import { sectionOf } from '#app/shared/server/personal-data-store.ts'
import { startOfDay } from '#app/shared/server/settings/day-store.ts'
import { anyOf, changesRow, containing, countBy, countRows } from '#app/shared/server/store.ts'
import type { Database, Row } from '#db/schema.ts'
import {
  type EmailState,
  type EmailView,
  RETRYABLE_STATES,
  UNDELIVERED_STATES,
} from '../admin-contract.ts'
import type { EmailFacts } from './facts.ts'

/** A row with the subject and the facts of its event. */
export type EmailRow = Omit<WithEvent<Row<'emails'>>, 'kind' | 'facts'> & EmailFacts

/** The e-mails of a user, with the facts that they tell. */
export const emailsOfUser = sectionOf(
  (userId) => sql`
    select emails.id::text as key,
      to_jsonb(emails) || jsonb_build_object('subject_id', subject_id, 'facts', facts) as item
    from emails join events on events.id = event_id where user_id = ${userId}`,
)

export const deleteEmailsOfUser = (tx: Database, userId: string) =>
  tx.deleteFrom('emails').where('user_id', '=', userId).execute()

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

const withEvents = (db: Database) =>
  db
    .selectFrom('emails')
    .innerJoin('events', 'events.id', 'event_id')
    .selectAll('emails')
    .select(['subject_id', 'facts'])
    .$castTo<EmailRow>()

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
  db
    .selectFrom(
      among(db, filter).orderBy('id', 'desc').limit(limit).offset(offset).selectAll().as('emails'),
    )
    .innerJoin('events', 'events.id', 'event_id')
    .orderBy('emails.id', 'desc')
    .selectAll('emails')
    .select(['subject_id', 'facts'])
    .$castTo<EmailRow>()
    .execute()

export const countEmails = (db: Database, filter: Filter): Promise<number> =>
  countRows(among(db, filter))

export const selectEmail = (db: Database, id: string) =>
  withEvents(db).where('emails.id', '=', id).executeTakeFirst()

/** The e-mails about an event. */
export const selectEmailsOf = (db: Database, eventId: string) =>
  withEvents(db).where('event_id', '=', eventId).execute()

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
    select emails.*, subject_id, facts from emails join events on events.id = event_id
    where user_id = ${userId} and emails.kind = 'settings_changed' and read_at is null
      and state <> 'sent' and (state <> 'queued' or last_error is not null)
    order by emails.id desc limit 20`.execute(db)
  return rows
}

/** Marks warnings to an admin as read. */
export const markRead = (db: Database, userId: string, ids: string[]) =>
  db
    .updateTable('emails')
    .set({ read_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('id', '=', anyOf(ids))
    .where('kind', '=', 'settings_changed')
    .execute()
