import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/** Empties tables and those that refer to them, without running triggers. */
export async function emptyTables(db: Database, tables: string[]): Promise<void> {
  const all = tables.map((table) => sql.table(table))
  for (const table of all) await sql`alter table ${table} disable trigger user`.execute(db)
  await sql`truncate ${sql.join(all)} cascade`.execute(db)
  for (const table of all) await sql`alter table ${table} enable trigger user`.execute(db)
}
