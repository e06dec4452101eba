import { type Kysely, sql } from 'kysely'
import { acquireLock, LOCKS } from './locks.ts'
import type { MigrationFile } from './releases/migration-files.ts'
import { FIRST, readSchemaState, type SchemaState } from './releases/schema-state.ts'
import { VERSION } from './releases/version.ts'
import { finishRestore } from './restored.ts'
import type { Schema } from './schema.ts'

/** A migration waits this long for a table; the shop's statements on it wait behind it. */
const LOCK_SECONDS = 4
/** The code of PostgreSQL for a lock that was not acquired in time. */
const LOCK_NOT_AVAILABLE = '55P03'
/** A shop that runs uses a connection this often: its jobs do. */
const ACTIVE_SECONDS = 30

/** Whether every migration of this version has run, and this version may work on the database. */
export const isMigrated = async (db: Kysely<Schema>): Promise<boolean> =>
  (await readSchemaState(db)).kind === 'up to date'

function refuse({ kind, found, advice }: SchemaState) {
  if (kind === 'refused') throw new Error(`${found} ${advice}`)
}

/**
 * Whether any migration of a shop has run on the database. Throws a user-readable message when it
 * contains another program's tables, or is one that this version must not open.
 */
export async function hasShop(db: Kysely<Schema>): Promise<boolean> {
  const state = await readSchemaState(db)
  refuse(state)
  return state.kind !== 'empty'
}

/** The connections of older versions to the server's database; 0.1.0 did not name its own. */
async function countOlder(tx: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ connections: number }>`
    select count(*)::int as connections from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and (application_name = '' or application_name like 'haat%')
      and application_name <> ${`haat ${VERSION}`}
      and coalesce(state_change, now()) > now() - make_interval(secs => ${ACTIVE_SECONDS})`.execute(
    tx,
  )
  return rows[0]?.connections ?? 0
}

async function refuseBesideOlder(tx: Kysely<Schema>, pending: MigrationFile[]) {
  const stopping = pending.find(({ oldestVersion }) => oldestVersion)
  const older = stopping ? await countOlder(tx) : 0
  if (older === 0) return
  throw new Error(
    `Stop the shop: the migration ${stopping?.name} cannot run beside older versions, and ${older === 1 ? 'there is a connection' : `there are ${older} connections`} of them, or of programs without a name. Nothing was changed. Start again when they have ended.`,
  )
}

const isLocked = (error: unknown) => Object(error).code === LOCK_NOT_AVAILABLE

/**
 * A migration is a file of plain SQL statements. It runs as one DO block, because a prepared
 * statement can contain only one statement. So a bare `select` is not allowed, and an error names
 * its line.
 */
async function run(tx: Kysely<Schema>, { name, text, sha256 }: MigrationFile) {
  try {
    await sql.raw(`do $migration$ begin\n${text}\nend $migration$`).execute(tx)
  } catch (cause) {
    if (isLocked(cause)) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`Migration ${name} failed, the database is as it was: ${why}`, { cause })
  }
  await sql`
    insert into kysely_migration (name, timestamp, sha256, version)
    values (${name}, ${new Date().toISOString()}, ${sha256}, ${VERSION})`.execute(tx)
}

/** The table of Kysely's migrator, which 0.1.0 reads, with the hash and the version that ran it. */
async function prepareTable(tx: Kysely<Schema>) {
  await sql`
    create table if not exists kysely_migration (
      name varchar(255) primary key, timestamp varchar(255) not null
    )`.execute(tx)
  await sql`
    alter table kysely_migration add column if not exists sha256 text,
      add column if not exists version text`.execute(tx)
  await sql`
    update kysely_migration set sha256 = ${FIRST.sha256}, version = ${FIRST.version}
    where name = ${FIRST.name} and sha256 is null`.execute(tx)
}

type Options = {
  folder?: URL
  /** Called before migrations run on the data of a shop. */
  announce?: ((line: string) => void) | undefined
}

async function runMissing(tx: Kysely<Schema>, { folder, announce }: Options) {
  // that of the role, which connections of PgBouncer have, would end long migrations
  await sql`set local statement_timeout = 0`.execute(tx)
  await acquireLock(tx, LOCKS.migrations)
  // another process may have run them meanwhile
  const state = await readSchemaState(tx, folder)
  refuse(state)
  if (state.kind === 'outdated') {
    await refuseBesideOlder(tx, state.pending)
    announce?.(`Migrations of the database ${state.found}. They run now.`)
  }
  await sql.raw(`set local lock_timeout = '${LOCK_SECONDS}s'`).execute(tx)
  await prepareTable(tx)
  for (const migration of state.pending) await run(tx, migration)
}

/**
 * Runs the missing migrations, all or nothing, one process at a time, and finishes the restore of a
 * backup. Throws a user-readable message when this version must not open the database, or when a
 * migration fails.
 */
export async function migrate(db: Kysely<Schema>, options: Options = {}): Promise<void> {
  const state = await readSchemaState(db, options.folder)
  refuse(state)
  if (state.pending.length > 0)
    await db
      .transaction()
      .execute((tx) => runMissing(tx, options))
      .catch((cause) => {
        if (!isLocked(cause)) throw cause
        const sentence = `A migration has waited ${LOCK_SECONDS} seconds for a table that another connection uses. Nothing was changed. Start again, or end that connection first.`
        throw new Error(sentence, { cause })
      })
  await finishRestore(db)
}
