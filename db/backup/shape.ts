import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '#db/schema.ts'
import { findOurs } from './ours.ts'

type Column = { name: string; type: string }
/** A table with its columns, those that the database fills in by itself left out. */
export type Shape = { name: string; columns: Column[] }

/** Values are written and read in one way, whatever this server is set to. */
export async function agreeOnWriting(tx: Transaction<Schema>) {
  for (const setting of ["datestyle = 'ISO'", "timezone = 'UTC'", "bytea_output = 'hex'"])
    await sql.raw(`set local ${setting}`).execute(tx)
}

/** Of use to running processes alone, for seconds, and in no other database. */
const PASSING = 'change_feed'

/** The shop's own tables that are there, by their names; the migrator's are not among them, nor what passes. */
export async function shapesOf(db: Kysely<Schema>): Promise<Shape[]> {
  const { tables } = await findOurs()
  const { rows } = await sql<Shape>`
    select relname as name, json_agg(json_build_object(
      'name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relname = any(${tables})
      and relname <> ${PASSING} and attnum > 0 and not attisdropped and attgenerated = ''
    group by relname order by relname`.execute(db)
  return rows
}

/** A row of this shape as the text of an array of texts. */
export const rowOf = ({ columns }: Shape) => {
  const values = columns.map(({ name }) => sql`${sql.ref(name)}::text`)
  return sql<string>`to_json(array[${sql.join(values)}])::text`
}

/** The last value of each sequence of the shop's tables that was used. */
export async function sequencesOf(db: Kysely<Schema>): Promise<Record<string, number>> {
  const { tables } = await findOurs()
  const { rows } = await sql<{ name: string; value: number }>`
    select distinct sequencename as name, last_value as value from pg_sequences
      join pg_depend on objid = format('%I.%I', schemaname, sequencename)::regclass
        and classid = 'pg_class'::regclass and deptype in ('a', 'i')
      join pg_class on pg_class.oid = refobjid and relname = any(${tables})
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
