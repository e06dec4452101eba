import { readdir, readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import type { Schema } from './schema.ts'

const FOLDER = new URL('./migrations/', import.meta.url)

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
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const done = new Set(rows.map(({ name }) => name))
  return (await namesIn(folder)).every((name) => done.has(name))
}

/** Whether any migration of a shop has run on the database. */
export async function hasShop(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('kysely_migration') is not null as found`.execute(db)
  return rows[0]?.found === true
}

/** A fast check, sufficient for most starts: the migrator's own takes ten times as long. */
async function isUpToDate(db: Kysely<Schema>, provider: MigrationProvider): Promise<boolean> {
  if (!(await hasShop(db))) return false
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const done = rows.map(({ name }) => name).sort()
  return isDeepStrictEqual(done, Object.keys(await provider.getMigrations()).sort())
}

/**
 * Runs the missing migrations, all or nothing, one process at a time. Throws an error with the
 * migration and the cause.
 */
export async function migrate(db: Kysely<Schema>, folder: URL = FOLDER): Promise<void> {
  const provider = files(folder)
  if (await isUpToDate(db, provider)) return
  const { error, results = [] } = await new Migrator({ db, provider }).migrateToLatest()
  if (!error) return
  const failed = results.find(({ status }) => status === 'Error')?.migrationName ?? 'planning'
  const why = error instanceof Error ? error.message : String(error)
  throw new Error(`Migration ${failed} failed, the database is as it was: ${why}`, { cause: error })
}
