import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { RESTORE_MARK } from '../restored.ts'
import type { Schema } from '../schema.ts'
import { type MigrationFile, readMigrations } from './migration-files.ts'
import { VERSION } from './version.ts'

const MIGRATIONS = new URL('../migrations/', import.meta.url)

/** The migration that creates the shop, as 0.1.0 had it, which recorded no hash. */
export const FIRST = {
  name: '0001_shop',
  version: '0.1.0',
  sha256: '4f62f40a8909996c2ce46d9a6ce315b60d2c7b93b4eed50230402c14283ffc10',
}
/** The hash of the columns that it makes: earlier states of the same name made others. */
const FIRST_COLUMNS = 'd2f58ebcfcf574ddf587ef6b940657f2bbcb516de8274120789beb283c8e46f7'

/** How the schema of a database relates to this version, in words for its operator. */
export type SchemaState = {
  kind: 'empty' | 'outdated' | 'up to date' | 'refused'
  found: string
  /** The recommended action; empty when it is up to date. */
  advice: string
  /** The migrations that have not run. */
  pending: MigrationFile[]
}

type Done = { name: string; sha256: string | null; version: string | null }

/** The tables that the migrator creates before the first migration; versions until 0.1.0 both. */
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

/** The migrations that have run; the columns of hash and version are missing until 0.1.0. */
async function selectDone(db: Kysely<Schema>): Promise<Done[]> {
  const { rows } = await sql<Done>`
    select name, to_jsonb(done) ->> 'sha256' as sha256, to_jsonb(done) ->> 'version' as version
    from kysely_migration as done order by name`.execute(db)
  return rows
}

async function selectOldestVersion(db: Kysely<Schema>): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`
    select value from shop_facts where key = 'oldest_version'`.execute(db)
  return rows[0]?.value
}

/** The hash of the columns of the tables that this migration creates. */
async function hashColumns(db: Kysely<Schema>, { text }: MigrationFile): Promise<string> {
  const tables = [...text.matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(([, name]) => name)
  const { rows } = await sql<{ columns: string | null }>`
    select string_agg(concat_ws(' ', relname, attname, format_type(atttypid, atttypmod), attnotnull),
      ',' order by relname collate "C", attname collate "C") as columns
    from pg_attribute join pg_class on pg_class.oid = attrelid
      join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = current_schema() and relname = any(${tables}) and attnum > 0
      and not attisdropped`.execute(db)
  return createHash('sha256')
    .update(rows[0]?.columns ?? '')
    .digest('hex')
}

const refused = (found: string, advice: string): SchemaState => ({
  kind: 'refused',
  found,
  advice,
  pending: [],
})

const upToDate = (found: string): SchemaState => ({
  kind: 'up to date',
  found,
  advice: '',
  pending: [],
})

const foreign = (tables: string[]) =>
  refused(
    `The database contains tables of another program (${tables.slice(0, SHOWN).join(', ')}${tables.length > SHOWN ? ', …' : ''}). Nothing was changed.`,
    'Create an empty database for the shop, and set DATABASE_URL to it.',
  )

const unreleased = (name: string) =>
  refused(
    `The database was made by an unreleased version of Haat: its migration ${name} is not that of Haat ${VERSION}.`,
    'Start the version that made it, or restore a backup of a released version, or use a new database.',
  )

const isOlder = (version: string, than: string) =>
  version.localeCompare(than, 'en', { numeric: true }) < 0

const isUnknown =
  (files: MigrationFile[]) =>
  ({ name }: Done) =>
    !files.some((file) => file.name === name)

/** Whether a newer version has migrated the database so that this one must not open it. */
async function compareVersions(
  db: Kysely<Schema>,
  newer: Done[],
  files: MigrationFile[],
): Promise<SchemaState> {
  const version = newer.at(-1)?.version
  const oldest = await selectOldestVersion(db)
  const isKnown = files.some(({ oldestVersion }) => oldestVersion === oldest)
  if (!oldest || isKnown || !isOlder(VERSION, oldest))
    return upToDate(
      `all are done, and those of Haat ${version}, which this version may work beside`,
    )
  return refused(
    `The database was made by Haat ${version}, and needs Haat ${oldest} or newer. This is Haat ${VERSION}.`,
    `Install Haat ${version}, or restore the backup that was made before the upgrade.`,
  )
}

/** The name of a migration that ran and differs from this version's. */
async function findDifferent(db: Kysely<Schema>, done: Done[], files: MigrationFile[]) {
  for (const { name, sha256 } of done) {
    const file = files.find((each) => each.name === name)
    if (file && sha256 && file.sha256 !== sha256) return name
    const isUnrecorded = name === FIRST.name && !sha256 && done.length === 1
    if (file && isUnrecorded && (await hashColumns(db, file)) !== FIRST_COLUMNS) return name
  }
  return undefined
}

function compareFiles(done: Done[], files: MigrationFile[]): SchemaState {
  const pending = files.filter(({ name }) => !done.some((each) => each.name === name))
  if (pending.length === 0) return upToDate('all are done')
  const found = `to be done: ${pending.map(({ name }) => name).join(', ')}`
  if (done.length === 0)
    return { kind: 'empty', found, advice: 'The next start does them.', pending }
  const stopping = pending.some(({ oldestVersion }) => oldestVersion)
    ? ' Stop all processes of the shop before it: older versions cannot work on the new schema.'
    : ''
  const advice = `The next start does them. Take a backup before.${stopping}`
  return { kind: 'outdated', found, advice, pending }
}

/**
 * Compares the schema of the database with the migrations of this version: for the start, the
 * doctor and the health check.
 */
export async function readSchemaState(
  db: Kysely<Schema>,
  folder: URL = MIGRATIONS,
): Promise<SchemaState> {
  const files = await readMigrations(folder)
  const edited = files.find(({ sha256, released }) => released && released !== sha256)
  if (edited)
    return refused(
      `The file db/migrations/${edited.name}.sql is not the one that was released.`,
      'Install this version again.',
    )
  const tables = await selectTables(db)
  const done = tables.includes('kysely_migration') ? await selectDone(db) : []
  if (!done.some(({ name }) => name === FIRST.name)) {
    const others = tables.filter((name) => ![...MIGRATOR_TABLES, RESTORE_MARK].includes(name))
    if (others.length > 0 || done.length > 0)
      return foreign(others.length > 0 ? others : ['kysely_migration'])
  }
  const unknown = done.filter(isUnknown(files))
  const nameless = unknown.find(({ version }) => !version)
  const different = nameless?.name ?? (await findDifferent(db, done, files))
  if (different) return unreleased(different)
  const state = compareFiles(done, files)
  if (unknown.length === 0) return state
  return state.pending[0] ? unreleased(state.pending[0].name) : compareVersions(db, unknown, files)
}
