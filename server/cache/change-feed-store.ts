import { type Kysely, sql } from 'kysely'
import type { Change } from '#app/shared/server/cache/change-feed-store.ts'
import type { Schema } from '#db/schema.ts'

/** How long changes are stored for processes that have not read them yet. */
export const RETENTION_SECONDS = 120

export type Poll = {
  /** The transactions committed before this poll; the next poll reads those committed after it. */
  snapshot: string
  /** The database's current time. */
  seconds: number
  /**
   * The start time of the server and the id of the table. When it changes, the server was restarted
   * or the database was restored, so snapshots cannot be compared.
   */
  source: string
  changes: Change[]
}

/**
 * Reads the changes committed between an earlier poll's snapshot and this one; none without an
 * earlier snapshot. Transactions commit in another order than ids are assigned, so a reader that
 * asks for greater ids would miss some. Snapshots compare exactly: no change is missed or read
 * twice.
 */
export async function selectChanges(db: Kysely<Schema>, previous: string | null): Promise<Poll> {
  const since = sql`coalesce(${previous}::pg_snapshot, pg_current_snapshot())`
  const { rows } = await sql<Poll>`
    select pg_current_snapshot()::text as snapshot,
      extract(epoch from clock_timestamp())::float8 as seconds,
      concat(pg_postmaster_start_time(), ' ', 'change_feed'::regclass::oid) as source,
      (
        select coalesce(json_agg(distinct jsonb_build_object('tag', tag, 'stale_ms', stale_ms)), '[]')
        from change_feed
        where transaction >= pg_snapshot_xmin(${since})
          and not pg_visible_in_snapshot(transaction, ${since})
      ) as changes`.execute(db)
  const [poll] = rows
  if (!poll) throw new Error('The change feed gave no answer.')
  return poll
}

export async function deleteOldChanges(db: Kysely<Schema>): Promise<void> {
  await sql`delete from change_feed
    where at < now() - make_interval(secs => ${RETENTION_SECONDS})`.execute(db)
  // the embedded database has no autovacuum
  await sql`vacuum change_feed`.execute(db)
}
