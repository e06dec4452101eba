/**
 * Deliveries of the outbox: what a reader of events owes to somebody. Each reader has a table of them, with columns of
 * its own beside those that are used here.
 */
import { sql } from 'kysely'
import { countChanged, limitOf, secondsFromNow } from '#app/shared/server/store.ts'
import { PREPARED } from '#db/prepared.ts'
import type { Database, Row, Schema } from '#db/schema.ts'

/** The columns of every table of deliveries. */
type DeliveryColumns = Pick<
  Row<'emails'>,
  | 'id'
  | 'event_id'
  | 'state'
  | 'attempts'
  | 'next_attempt_at'
  | 'expires_at'
  | 'last_error'
  | 'sent_at'
  | 'created_at'
>

/** The tables that have these columns. */
export type DeliveryTable = {
  [Table in keyof Schema]: Row<Table> extends DeliveryColumns ? Table : never
}[keyof Schema]

/** The attempt to deliver: the row, and the number of the attempt. */
export type Attempt = Pick<DeliveryColumns, 'id' | 'attempts'>

/** Deliveries taken by one statement. */
const MAX_TAKEN = 40

/** A delivery with its event. */
export type WithEvent<Columns> = Columns & Pick<Row<'events'>, 'subject_id' | 'facts'>

/**
 * Takes the deliveries that are due first, with their events: no other job makes them until the lease ends. A job that
 * dies keeps them no longer.
 */
export async function takeDeliveries<Delivery extends Attempt>(
  db: Database,
  table: DeliveryTable,
  leaseSeconds: number,
): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    ${PREPARED} with due as (
      select id from ${sql.table(table)}
      where state = 'queued' and next_attempt_at <= now()
      order by next_attempt_at limit ${sql.lit(MAX_TAKEN)} for update skip locked
    ), taken as (
      update ${sql.table(table)} as delivery
      set attempts = attempts + 1, next_attempt_at = ${secondsFromNow(leaseSeconds)}
      from due where delivery.id = due.id returning delivery.*
    )
    select taken.*, subject_id, facts from taken join events on events.id = event_id
    order by taken.id`.execute(db)
  return rows
}

/**
 * A table of attempts, at most those of two batches; with it, a statement changes only deliveries that no other job
 * has taken since.
 */
const tableOf = (attempts: readonly Attempt[]) => sql`(
  select * from jsonb_to_recordset(${JSON.stringify(attempts)}::jsonb) as attempt(
    id uuid, attempts smallint, state text, error text, "pauseSeconds" integer)
  ${limitOf(attempts.length)}) as attempt`

/** Queued deliveries alone have a next attempt. By their state, an index would be read with all that has left the queue. */
const IS_OWN = sql`delivery.id = attempt.id and delivery.attempts = attempt.attempts
  and delivery.next_attempt_at is not null`

/** Extends the lease of deliveries that are still to be made; answers their ids. */
export async function extendLeases(
  db: Database,
  table: DeliveryTable,
  attempts: Attempt[],
  leaseSeconds: number,
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update ${sql.table(table)} as delivery set next_attempt_at = ${secondsFromNow(leaseSeconds)}
    from ${tableOf(attempts)} where ${IS_OWN} returning delivery.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Returns deliveries that were taken and not tried. */
export const returnDeliveries = (db: Database, table: DeliveryTable, attempts: Attempt[]) =>
  sql`
    update ${sql.table(table)} as delivery
    set next_attempt_at = now(), attempts = delivery.attempts - 1
    from ${tableOf(attempts)} where ${IS_OWN}`.execute(db)

/** The end of an attempt; `queued` is tried again after the pause. */
export type Outcome<State extends string = string> =
  | { state: 'queued'; error: string; pauseSeconds: number }
  | { state: State; error?: string }

/** Stores the ends of attempts. Leaves out a delivery whose lease has ended and that another job has taken. */
export const updateOutcomes = (
  db: Database,
  table: DeliveryTable,
  outcomes: (Attempt & Outcome)[],
) =>
  sql`
    ${PREPARED} update ${sql.table(table)} as delivery set
      state = attempt.state,
      sent_at = case when attempt.state = 'sent' then now() end,
      next_attempt_at = now() + "pauseSeconds" * interval '1 second',
      last_error = error
    from ${tableOf(outcomes)} where ${IS_OWN}`.execute(db)

/** Ends the due deliveries that were not accepted in time. */
export const failExpired = (db: Database, table: DeliveryTable, error: string) =>
  db
    .updateTable(table)
    .set({
      state: 'failed',
      next_attempt_at: null,
      last_error: sql<string>`coalesce(last_error, ${error})`,
    })
    .where('state', '=', 'queued')
    .where('expires_at', '<=', sql<Date>`now()`)
    .where('next_attempt_at', '<=', sql<Date>`now()`)
    .execute()

/** The values of a delivery that is queued again: it is tried at once, and for three days, like a new one. */
export const REQUEUED = {
  state: 'queued',
  next_attempt_at: sql<Date>`default`,
  expires_at: sql<Date>`default`,
  attempts: 0,
  last_error: null,
} as const

/** Queues the parked deliveries; resolves with their number. */
export const releaseParked = (db: Database, table: DeliveryTable): Promise<number> =>
  countChanged(db.updateTable(table).set(REQUEUED).where('state', '=', 'parked'))

/** Deletes the parked deliveries; resolves with their number. */
export const deleteParked = (db: Database, table: DeliveryTable): Promise<number> =>
  countChanged(db.deleteFrom(table).where('state', '=', 'parked'))
