/** Inserts events in the transaction in which they happen, counts, and deletes them. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import { secondsFromNow } from '../store.ts'
import type { EventKind, NewEvent } from './events.ts'

/** Inserts the events that a query selects, with the columns kind, subject_id, notify and facts. */
export const eventsInserted = (events: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`insert into events (kind, subject_id, notify, facts) ${events}`

/**
 * Inserts events inside the caller's transaction, with what their readers have to deliver; answers their ids. A
 * transaction that locks payments or orders locks their buyer before them.
 */
export async function recordEvents(tx: Database, events: NewEvent[]): Promise<string[]> {
  if (events.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    ${eventsInserted(sql`
      select kind, "subjectId", coalesce(notify, true), facts
      from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as event(
        kind text, "subjectId" uuid, notify boolean, facts jsonb)`)}
    returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Inserts an event as `recordEvents` does; answers its id. */
export async function recordEvent(tx: Database, event: NewEvent): Promise<string> {
  const [id] = await recordEvents(tx, [event])
  if (id === undefined) throw new Error('The event was not inserted.')
  return id
}

/** How often an event of a kind happened to a row within the last seconds. */
export async function countEvents(
  db: Database,
  { kind, subjectId, seconds }: { kind: EventKind; subjectId: string; seconds: number },
): Promise<number> {
  const { total } = await db
    .selectFrom('events')
    .where('kind', '=', kind)
    .where('subject_id', '=', subjectId)
    .where('created_at', '>', secondsFromNow(-seconds))
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Facts of orders and refunds that are personal. */
const PERSONAL_FACTS = ['carrier', 'tracking_number', 'note', 'reason']

/** Deletes the events of an account, and what is personal in those of its orders. */
export async function eraseEventsOfUser(tx: Database, userId: string): Promise<void> {
  await tx.deleteFrom('events').where('subject_id', '=', userId).execute()
  await sql`
    update events set facts = facts - ${PERSONAL_FACTS}::text[]
    where facts ?| ${PERSONAL_FACTS}::text[] and subject_id in (
      select id from orders where user_id = ${userId}::uuid
      union all
      select id from payments where user_id = ${userId}::uuid)`.execute(tx)
}

/** Deletes the events of so many days ago and their deliveries, unless one is queued or parked. */
export const deleteOldEvents = (db: Database, days: number) =>
  db
    .deleteFrom('events')
    .where('created_at', '<', secondsFromNow(-days * 24 * 60 * 60))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('emails')
            .whereRef('event_id', '=', 'events.id')
            .where('state', 'in', ['queued', 'parked']),
        ),
      ),
    )
    .execute()
