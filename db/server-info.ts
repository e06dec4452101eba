import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** Runs a minimal statement; throws when the database does not answer. */
export async function pingDatabase(db: Kysely<Schema>): Promise<void> {
  await sql`select 1`.execute(db)
}

const DISK_FULL = '53100'

/**
 * Whether the disk of the database has space left. PostgreSQL writes half a megabyte to a temporary
 * file beside the tables, and deletes it: no row or log entry remains. Throws when the database does
 * not answer.
 */
export async function hasDiskSpace(db: Kysely<Schema>): Promise<boolean> {
  try {
    await db.transaction().execute(async (tx) => {
      // rows that need more memory than this are written to the disk
      await sql`set local work_mem = '64kB'`.execute(tx)
      await sql`select count(*) from generate_series(1, 30000)`.execute(tx)
    })
    return true
  } catch (error) {
    if (Object(error).code === DISK_FULL) return false
    throw error
  }
}

/**
 * Reads version, clock, size and limits of the database; throws when it does not answer. `connections` is
 * the server's limit, without those reserved for superusers.
 */
export const readServerInfo = (db: Kysely<Schema>) =>
  db
    .selectNoFrom([
      sql<string>`current_setting('server_version')`.as('version'),
      sql<number>`current_setting('server_version_num')::integer`.as('versionNumber'),
      sql<Date>`clock_timestamp()`.as('now'),
      sql<number>`(pg_database_size(current_database()) / 1048576)::integer`.as('sizeMb'),
      sql<number>`current_setting('max_connections')::integer
        - current_setting('superuser_reserved_connections')::integer`.as('connections'),
    ])
    .executeTakeFirstOrThrow()
