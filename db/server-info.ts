import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** Runs a minimal statement; throws when the database does not answer. */
export async function pingDatabase(db: Kysely<Schema>): Promise<void> {
  await sql`select 1`.execute(db)
}

const DISK_FULL = '53100'

const isDiskFull = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === DISK_FULL

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
    if (isDiskFull(error)) return false
    throw error
  }
}

export type ServerInfo = {
  version: string
  versionNumber: number
  now: Date
  sizeMb: number
  /** The server's connection limit, without those reserved for superusers. */
  connections: number
}

/** Reads version, clock, size and limits of the database; throws when it does not answer. */
export async function readServerInfo(db: Kysely<Schema>): Promise<ServerInfo> {
  const { rows } = await sql<ServerInfo>`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::integer as "versionNumber",
      clock_timestamp() as now,
      (pg_database_size(current_database()) / 1048576)::integer as "sizeMb",
      current_setting('max_connections')::integer
        - current_setting('superuser_reserved_connections')::integer as connections`.execute(db)
  const [info] = rows
  if (!info) throw new Error('The database returns no row.')
  return info
}
