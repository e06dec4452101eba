import { sql } from 'kysely'
import { REQUEUED } from '#app/shared/server/outbox/deliveries-store.ts'
import { startOfDay } from '#app/shared/server/settings/day-store.ts'
import {
  anyOf,
  changesRow,
  containing,
  countBy,
  countRows,
  secondsFromNow,
} from '#app/shared/server/store.ts'
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
