/** What the database holds, for comparing before and after. */
import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/** Written by reading: when a session was used last, where from, and what was counted of words. */
const PASSING = ['known_networks', 'sessions']

const tablesOf = async (db: Database) => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

/** Every row of every table as JSON text. */
export async function rowsOf(db: Database): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const table of await tablesOf(db)) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(table)} as t order by 1`.execute(db)
    found[table] = rows.map(({ row }) => row)
  }
  return found
}

/** The tables that differ between two moments. */
export function changesBetween(
  before: Record<string, string[]>,
  after: Record<string, string[]>,
): string[] {
  return Object.keys(after).filter(
    (table) => !PASSING.includes(table) && before[table]?.join() !== after[table]?.join(),
  )
}
