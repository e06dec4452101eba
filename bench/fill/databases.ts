import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { FORGETFUL, type Postgres, startPostgres } from '#tests/support/postgres.ts'
import { createDatabaseOn } from '#tests/support/server-database.ts'
import { fillCatalogue } from './fill.ts'

export const ENGINES = ['PostgreSQL', 'PGlite'] as const
export type Engine = (typeof ENGINES)[number]

/** The largest catalogue of the embedded database; a larger one takes minutes to fill. */
const MOST_EMBEDDED = 100_000

/** Settings for creating indexes and bulk writes; they do not affect reads. */
const FILL_SETTINGS = ['maintenance_work_mem=512MB', 'max_wal_size=8GB']

/** The shared buffers of a server for this many products; the default is 128 MB. */
export const SHARED_BUFFERS = '1GB'

/** The database settings of a shop. */
export type Settings = { DATA_DIR: string; DATABASE_URL?: string; DEMO: string }

/** Catalogues to measure, each created at the first request. */
export type Databases = {
  /** Null where PostgreSQL is not installed. */
  settingsOf: (engine: Engine, products: number) => Promise<Settings | null>
  /** Fills the missing catalogues, on all databases concurrently. */
  fill: (sizes: number[]) => Promise<void>
  /** The available sizes of a database; none where it is not installed. */
  sizesOn: (engine: Engine, sizes: number[]) => Promise<number[]>
  close: () => Promise<void>
}

async function fill(settings: Settings, what: string, products: number): Promise<Settings> {
  const began = performance.now()
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = settings
  const { db, close } = await openDatabase({ dataDir, ...(databaseUrl && { databaseUrl }) })
  try {
    await migrate(db)
    await fillCatalogue(db, products)
  } finally {
    await close()
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${what} has ${products} products, in ${seconds} s`)
  return settings
}

/** The PostgreSQL server of the benchmark, started at the first request. */
function openServer() {
  let starting: Promise<Postgres | null> | undefined
  const drops: (() => Promise<void>)[] = []
  const server = () => {
    starting ??= startPostgres([...FORGETFUL, ...FILL_SETTINGS, `shared_buffers=${SHARED_BUFFERS}`])
    return starting
  }
  return {
    isThere: async () => (await server()) !== null,
    async create() {
      const postgres = await server()
      if (!postgres) return null
      const { url, drop } = await createDatabaseOn(postgres.url)
      drops.push(drop)
      return url
    },
    async close() {
      for (const drop of drops) await drop()
      const postgres = await starting
      await postgres?.stop()
    },
  }
}

export async function openDatabases(): Promise<Databases> {
  const folder = await mkdtemp(join(tmpdir(), 'haat-bench-'))
  const server = openServer()
  const filled = new Map<string, Promise<Settings | null>>()
  async function create(engine: Engine, products: number) {
    const settings = { DATA_DIR: join(folder, `${engine}-${products}`), DEMO: 'off' }
    if (engine === 'PGlite') return fill(settings, engine, products)
    const url = await server.create()
    return url && fill({ ...settings, DATABASE_URL: url }, engine, products)
  }
  const settingsOf: Databases['settingsOf'] = (engine, products) => {
    const name = `${engine} ${products}`
    const known = filled.get(name) ?? create(engine, products).then((made) => made || null)
    filled.set(name, known)
    return known
  }
  const sizesOn: Databases['sizesOn'] = async (engine, sizes) => {
    if (engine === 'PGlite') return sizes.filter((size) => size <= MOST_EMBEDDED)
    return (await server.isThere()) ? sizes : []
  }
  return {
    settingsOf,
    sizesOn,
    async fill(sizes) {
      const fillAll = async (engine: Engine) => {
        for (const size of await sizesOn(engine, sizes)) await settingsOf(engine, size)
      }
      await Promise.all(ENGINES.map(fillAll))
    },
    async close() {
      await server.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** The version of the PostgreSQL server at a URL. */
export async function versionOf(databaseUrl: string): Promise<string> {
  const { db, close } = await openDatabase({ databaseUrl, dataDir: '' })
  const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db)
  await close()
  return rows[0]?.server_version ?? ''
}
