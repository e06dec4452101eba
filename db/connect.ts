import type { PGlite } from '@electric-sql/pglite'
import { Kysely, type LogEvent, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { openPool, reason, type Watcher } from './pool.ts'
import type { Schema } from './schema.ts'

/** Called after every statement. */
export type QueryListener = (event: LogEvent) => void

export type OpenDatabase = {
  db: Kysely<Schema>
  embedded: boolean
  /** The embedded database; undefined for a server. */
  pglite?: PGlite
  close: () => Promise<void>
  /** Sets the outage listener, and the statement timeout from now on, in milliseconds. */
  watch: (watcher: Watcher, limitMs: number) => void
}

const INT8 = 20

/** Enough connections for one process to keep a few cores of the server busy. */
const POOL_SIZE = 10

async function openPostgres(
  settings: pg.PoolConfig & { prepares: boolean },
  onQuery: QueryListener | undefined,
): Promise<OpenDatabase> {
  pg.types.setTypeParser(INT8, Number)
  const { pool, watch } = openPool(settings)
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    ...(onQuery && { log: onQuery }),
  })
  await sql`select 1`.execute(db).catch(async (error) => {
    await db.destroy()
    const why = reason(error.cause ?? error)
    throw new Error(`The database at DATABASE_URL cannot be used: ${why}`, { cause: error })
  })
  return { db, embedded: false, close: () => db.destroy(), watch }
}

/**
 * Opens PostgreSQL at `databaseUrl`, or the embedded database in `dataDir`. Throws a user-readable
 * message when it cannot be reached, or when another process has the folder open.
 */
export async function openDatabase(at: {
  databaseUrl?: string | undefined
  dataDir: string
  /** The maximum number of connections to a server. */
  poolSize?: number
  /** Whether statements marked as PREPARED are; not through a pooler in transaction mode. */
  prepares?: boolean
  onQuery?: QueryListener | undefined
  /** Told why the embedded database has crashed, before the process ends; by default, it is printed. */
  onCrash?: (why: string) => void
}): Promise<OpenDatabase> {
  if (!at.databaseUrl) {
    // a shop on a server does not load PGlite
    const { openEmbedded } = await import('./embedded.ts')
    return openEmbedded(at.dataDir, undefined, at.onQuery, at.onCrash)
  }
  const { poolSize: max = POOL_SIZE, prepares = true } = at
  const pool = { connectionString: at.databaseUrl, max, prepares }
  return openPostgres(pool, at.onQuery)
}
