import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** What can be told of a database by looking at it. */
export type DatabaseFacts = {
  version: string
  versionNumber: number
  now: Date
  sizeMb: number
  /** How many connections the server lets in, beside those of its owner. */
  connections: number
}

/** Asks a database about itself; throws when it does not answer. */
export async function lookOver(db: Kysely<Schema>): Promise<DatabaseFacts> {
  const { rows } = await sql<DatabaseFacts>`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::integer as "versionNumber",
      clock_timestamp() as now,
      (pg_database_size(current_database()) / 1048576)::integer as "sizeMb",
      current_setting('max_connections')::integer
        - current_setting('superuser_reserved_connections')::integer as connections`.execute(db)
  const [facts] = rows
  if (!facts) throw new Error('It answers nothing.')
  return facts
}
