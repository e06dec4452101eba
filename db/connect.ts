import { join } from 'node:path'
import { PGlite, types } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { Kysely, type LogEvent, PGliteDialect, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { createPgdata } from './create-pgdata.ts'
import { guestOf, isDoorOpen, openDoor } from './door.ts'
import { lockFolder } from './lock-folder.ts'
import { occupy } from './occupancy.ts'
import { hearPanic } from './panic.ts'
import { openPool, type Watcher } from './pool.ts'
import { openPrivateFolder, shutContents } from './private-folder.ts'
import type { Schema } from './schema.ts'
import { byTurns, openTurns } from './turns.ts'

/** Hears of every statement when it is over. */
export type QueryHeard = (event: LogEvent) => void

export type OpenDatabase = {
  db: Kysely<Schema>
  embedded: boolean
  close: () => Promise<void>
  /** Says who hears of outages, and how long a statement may take from now on, in milliseconds. */
  watch: (watcher: Watcher, limitMs: number) => void
  /**
   * Says to all who share the server that a shop runs on this database, so that nobody puts a backup
   * in its place. Throws a sentence while somebody does.
   */
  occupy: () => Promise<void>
  /** Lets the owner's commands in while the shop has the folder of the embedded database open. */
  openDoor: () => Promise<void>
}

const INT8 = 20

/** As many connections as one process needs to keep a few cores of the server busy. */
const POOL_SIZE = 10

/**
 * PGlite switches fsync off by default (-F); what is on disk must survive a power cut.
 * Its buffers of 160 MB would be most of what the process holds; the system caches the files, too.
 */
const ON_DISK = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  ...['-c', 'shared_buffers=32MB'],
]

/** Bytes travel as hexadecimal text, which PGlite by itself makes and reads one byte at a time. */
const BYTES = {
  serializers: { [types.BYTEA]: (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString('hex')}` },
  parsers: { [types.BYTEA]: (text: string) => Buffer.from(text.slice('\\x'.length), 'hex') },
}

const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))

async function refuseUnusable(db: Kysely<Schema>, name: string) {
  await sql`select 1`.execute(db).catch(async (error) => {
    await db.destroy()
    throw new Error(`The database ${name} cannot be used: ${reason(error.cause ?? error)}`, {
      cause: error,
    })
  })
}

async function openPostgres(
  settings: pg.PoolConfig,
  name: string,
  heard?: QueryHeard,
): Promise<OpenDatabase> {
  pg.types.setTypeParser(INT8, Number)
  const { pool, watch } = openPool(settings)
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    ...(heard && { log: heard }),
  })
  await refuseUnusable(db, name)
  let watcher: Watcher | undefined
  let end: Error | undefined
  let leave = async () => {}
  return {
    ...{ db, embedded: false },
    async close() {
      await leave()
      await db.destroy()
    },
    watch(by, limitMs) {
      watcher = by
      watch(by, limitMs)
      // it may have ended before anybody watched
      if (end) by.gone(end)
    },
    async occupy() {
      leave = await occupy(settings, (error) => {
        end = error
        watcher?.gone(error)
      })
    },
    async openDoor() {},
  }
}

/** Opens the files in the folder, or in memory, and shuts them to all but their owner. */
async function createPglite(folder: string | undefined, image: Blob | undefined) {
  const dataDir = folder && join(folder, 'pgdata')
  if (dataDir) await createPgdata(dataDir)
  if (folder) shutContents(folder)
  const pglite = await PGlite.create({
    ...(dataDir && { dataDir, startParams: ON_DISK }),
    ...(image && { loadDataDir: image }),
    extensions: { pg_trgm },
    ...BYTES,
  })
  // some that it makes when it opens are readable for everybody
  if (folder) shutContents(folder)
  return pglite
}

/** PostgreSQL inside this process; without a folder it lives in memory. */
export async function openEmbedded(
  folder?: string,
  image?: Blob,
  heard?: QueryHeard,
): Promise<OpenDatabase> {
  const release = folder ? lockFolder(folder) : () => {}
  const pglite = await createPglite(folder, image)
  let watcher: Watcher | undefined
  const { isGone } = hearPanic(pglite, (error) => watcher?.gone(error))
  const turns = openTurns()
  const db = new Kysely<Schema>({
    dialect: byTurns(new PGliteDialect({ pglite }), turns),
    ...(heard && { log: heard }),
  })
  let closeDoor = async () => {}
  const close = async () => {
    await closeDoor()
    if (!isGone()) await db.destroy()
    if (!isGone() && !pglite.closed) await pglite.close()
    release()
  }
  const openTheDoor = async () => {
    if (folder) closeDoor = await openDoor({ db, pglite, turns }, folder)
  }
  const watch: OpenDatabase['watch'] = (by) => {
    watcher = by
  }
  // the folder is locked already
  const isOccupied = async () => {}
  return { db, embedded: true, close, watch, occupy: isOccupied, openDoor: openTheDoor }
}

/**
 * Opens PostgreSQL at `databaseUrl`, or the embedded one in `dataDir`; `throughDoor` also where a
 * running shop has it open. Throws a sentence when it cannot be reached, or another process has that
 * folder open.
 */
export async function openDatabase(at: {
  databaseUrl?: string
  dataDir: string
  throughDoor?: boolean
  /** How many connections to a server there are at most. */
  poolSize?: number
  heard?: QueryHeard | undefined
}): Promise<OpenDatabase> {
  if (at.databaseUrl) {
    const pool = { connectionString: at.databaseUrl, max: at.poolSize ?? POOL_SIZE }
    return openPostgres(pool, 'at DATABASE_URL', at.heard)
  }
  if (at.throughDoor && (await isDoorOpen(at.dataDir)))
    return openPostgres(guestOf(at.dataDir), 'of the running shop')
  openPrivateFolder(at.dataDir)
  return openEmbedded(at.dataDir, undefined, at.heard)
}
