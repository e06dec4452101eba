import { readdir, readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import { finishRestore, RESTORE_MARK } from './restored.ts'
import type { Schema } from './schema.ts'

const FOLDER = new URL('./migrations/', import.meta.url)
/** The migration that creates the shop. */
const FIRST = '0001_shop'

/**
 * A migration is a file of plain SQL statements. It runs as one DO block, because a prepared
 * statement can contain only one statement. So a bare `select` is not allowed, and an error names
 * its line.
 */
const migration = (text: string): Migration => ({
  async up(db) {
    await sql.raw(`do $migration$ begin\n${text}\nend $migration$`).execute(db)
  },
})

const namesIn = async (folder: URL) =>
  (await readdir(folder))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort()

const files = (folder: URL): MigrationProvider => ({
  async getMigrations() {
    const entries = (await namesIn(folder)).map(async (name) => {
      const text = await readFile(new URL(`${name}.sql`, folder), 'utf8')
      return [name, migration(text)] as const
    })
    return Object.fromEntries(await Promise.all(entries))
  },
})

/** Whether every migration of this version has run; a newer version may have run more. */
export async function isMigrated(db: Kysely<Schema>, folder: URL = FOLDER): Promise<boolean> {
  const done = new Set(await selectMigrations(db))
  return (await namesIn(folder)).every((name) => done.has(name))
}

/** The tables that the migrator creates before the first migration. */
const MIGRATOR_TABLES = ['kysely_migration', 'kysely_migration_lock']
const SHOWN = 5

/** The tables in the schema of the shop, without those of extensions. */
async function selectTables(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = current_schema() and relkind in ('r', 'p', 'v', 'm', 'f')
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
    order by relname`.execute(db)
  return rows.map(({ name }) => name)
}

async function selectMigrations(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * The migrations of a shop that have run on the database, none on an empty one. Throws a
 * user-readable message when the database contains another program's tables.
 */
async function selectDone(db: Kysely<Schema>): Promise<string[]> {
  const tables = await selectTables(db)
  const done = tables.includes('kysely_migration') ? await selectMigrations(db) : []
  if (done.includes(FIRST)) return done
  const foreign = tables.filter((name) => ![...MIGRATOR_TABLES, RESTORE_MARK].includes(name))
  if (foreign.length === 0 && done.length === 0) return []
  const more = foreign.length > SHOWN ? ', …' : ''
  const names = foreign.slice(0, SHOWN).join(', ') + more
  throw new Error(
    `The database contains tables of another program (${names || 'kysely_migration'}). Nothing was changed. Create an empty database for the shop, and set DATABASE_URL to it.`,
  )
}

/**
 * Whether any migration of a shop has run on the database. Throws a user-readable message when it
 * contains another program's tables.
 */
export const hasShop = async (db: Kysely<Schema>): Promise<boolean> =>
  (await selectDone(db)).length > 0

/** A fast check, sufficient for most starts: the migrator's own takes ten times as long. */
async function isUpToDate(db: Kysely<Schema>, folder: URL): Promise<boolean> {
  return isDeepStrictEqual((await selectDone(db)).sort(), await namesIn(folder))
}

async function runMigrations(db: Kysely<Schema>, folder: URL) {
  if (await isUpToDate(db, folder)) return
  const migrator = new Migrator({ db, provider: files(folder) })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (!error) return
  const failed = results.find(({ status }) => status === 'Error')?.migrationName ?? 'planning'
  const why = error instanceof Error ? error.message : String(error)
  throw new Error(`Migration ${failed} failed, the database is as it was: ${why}`, { cause: error })
}

/**
 * Runs the missing migrations, all or nothing, one process at a time, and finishes the restore of a
 * backup. Throws an error with the migration and the cause.
 */
export async function migrate(db: Kysely<Schema>, folder: URL = FOLDER): Promise<void> {
  await runMigrations(db, folder)
  await finishRestore(db)
}
