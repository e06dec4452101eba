import { sql, type Transaction } from 'kysely'
import { runMigrations } from '#db/migrate.ts'
import type { Schema } from '#db/schema.ts'
import { findOurs } from './ours.ts'
import { shapesOf } from './shape.ts'

type Tx = Transaction<Schema>

/** Removes what the migrations have made; whoever calls knows that nothing of others hangs on it. */
async function clear(tx: Tx) {
  const { tables, routines } = await findOurs()
  for (const name of tables) await sql`drop table if exists ${sql.table(name)} cascade`.execute(tx)
  const { rows } = await sql<{ routine: string }>`
    select pg_proc.oid::regprocedure::text as routine from pg_proc
    where pronamespace = current_schema()::regnamespace and proname = any(${routines})`.execute(tx)
  for (const { routine } of rows)
    await sql`drop routine if exists ${sql.raw(routine)} cascade`.execute(tx)
}

/** The references between the tables, as statements that make them anew. */
const REFERENCES = sql<{ drop: string; add: string }>`
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname,
    pg_get_constraintdef(oid)) as add
  from pg_constraint
  where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0`

/**
 * Makes the tables as they were after these migrations, empty, lets `fill` fill them, and takes them
 * through the migrations that came since. Meanwhile no trigger counts what is counted already, and
 * rows may come in any order: the references are made at the end, which checks them all.
 */
export async function rebuild(tx: Tx, migrations: string[], fill: () => Promise<void>) {
  await clear(tx)
  await runMigrations(tx, (name) => migrations.includes(name))
  const tables = (await shapesOf(tx)).map(({ name }) => sql.table(name))
  for (const table of tables) await sql`alter table ${table} disable trigger user`.execute(tx)
  // only then: the audit log refuses to be emptied
  await sql`truncate ${sql.join(tables)}`.execute(tx)
  const { rows: references } = await REFERENCES.execute(tx)
  for (const { drop } of references) await sql.raw(drop).execute(tx)
  await fill()
  for (const table of tables) await sql`alter table ${table} enable trigger user`.execute(tx)
  for (const { add } of references) await sql.raw(add).execute(tx)
  await runMigrations(tx, (name) => !migrations.includes(name))
}
