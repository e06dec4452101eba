import { type Kysely, sql } from 'kysely'
import type { Schema } from '#db/schema.ts'

type Column = { name: string; type: string }
/** A table with its columns, those that the database fills in by itself left out. */
export type Shape = { name: string; columns: Column[] }

/** Whether something came with an extension, and is not ours. */
export const ofExtension = (oid: string) =>
  sql`exists (select from pg_depend where objid = ${sql.ref(oid)} and deptype = 'e')`

/** Of use to running processes alone, for seconds, and in no other database. */
const PASSING = 'catalogue_changes'

/** The shop's own tables, by their names; the migrator's are not among them, nor what passes. */
export async function shapesOf(db: Kysely<Schema>): Promise<Shape[]> {
  const { rows } = await sql<Shape>`
    select relname as name, json_agg(json_build_object(
      'name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and not relispartition and relname not like 'kysely\\_%' and relname <> ${PASSING}
      and not ${ofExtension('pg_class.oid')} and attnum > 0 and not attisdropped and attgenerated = ''
    group by relname order by relname`.execute(db)
  return rows
}

/** The last value of each sequence that was used. */
export async function sequencesOf(db: Kysely<Schema>): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; value: number }>`
    select sequencename as name, last_value as value from pg_sequences
    where schemaname = current_schema() and last_value is not null`.execute(db)
  return Object.fromEntries(rows.map(({ name, value }) => [name, Number(value)]))
}

/** The migrations that the database has gone through, in their order. */
export async function migrationsOf(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name).sort()
}

/** Whether there is anything in this shop that somebody would miss. */
export async function isEmpty(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from users) or exists (select from categories)
      or exists (select from payments) or exists (select from orders) as used`.execute(db)
  return !rows[0]?.used
}
