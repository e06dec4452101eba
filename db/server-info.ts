import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** Runs a minimal statement; throws when the database does not answer. */
export async function pingDatabase(db: Kysely<Schema>): Promise<void> {
  await sql`select 1`.execute(db)
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
