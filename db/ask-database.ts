import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** Asks the database the smallest question; throws when it does not answer. */
export async function askDatabase(db: Kysely<Schema>): Promise<void> {
  await sql`select 1`.execute(db)
}
