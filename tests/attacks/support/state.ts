/** A dump of the database, for comparisons. */
import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/** Columns that reads change: the last use of a session. */
const PASSING = ['known_places']

/** Every row of every table without those columns, as JSON after its table's name. */
export async function rowsOf(db: Database): Promise<string[]> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db)
  const found: string[] = []
  for (const { name } of tables.rows.filter((table) => !PASSING.includes(table.name))) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(name)} as t order by 1`.execute(db)
    found.push(...rows.map(({ row }) => `${name} ${row}`))
  }
  return found
}
