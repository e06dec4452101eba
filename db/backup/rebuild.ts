import { sql, type Transaction } from 'kysely'
import { runMigrations } from '#db/migrate.ts'
import type { Schema } from '#db/schema.ts'
import { ofExtension, shapesOf } from './shape.ts'

type Tx = Transaction<Schema>

const each = async (tx: Tx, statements: ReturnType<typeof sql<{ statement: string }>>) => {
  for (const { statement } of (await statements.execute(tx)).rows)
    await sql.raw(statement).execute(tx)
}

/** Removes all that is the shop's; what came with an extension, and the migrator's, stays. */
async function clear(tx: Tx) {
  await each(
    tx,
    sql`select format('drop table %I cascade', relname) as statement from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
        and not relispartition and relname not like 'kysely\\_%' and not ${ofExtension('pg_class.oid')}`,
  )
  await each(
    tx,
    sql`select format('drop routine if exists %s cascade', pg_proc.oid::regprocedure) as statement
      from pg_proc where pronamespace = current_schema()::regnamespace and not ${ofExtension('pg_proc.oid')}`,
  )
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
  // only then: the ledger refuses to be emptied
  await sql`truncate ${sql.join(tables)}`.execute(tx)
  const { rows: references } = await REFERENCES.execute(tx)
  for (const { drop } of references) await sql.raw(drop).execute(tx)
  await fill()
  for (const table of tables) await sql`alter table ${table} enable trigger user`.execute(tx)
  for (const { add } of references) await sql.raw(add).execute(tx)
  await runMigrations(tx, (name) => !migrations.includes(name))
}
