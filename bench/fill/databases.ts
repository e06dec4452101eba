import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase } from '#db/connect.ts'
import { FORGETFUL, type Postgres, startPostgres } from '#tests/support/postgres.ts'
import { createDatabaseOn } from '#tests/support/server-database.ts'
import { importFrom } from '../shop.ts'

export const ENGINES = ['PostgreSQL', 'PGlite'] as const
export type Engine = (typeof ENGINES)[number]

/** Creating indexes and writing much needs memory and WAL; readers are not affected. */
const FOR_FILLING = ['maintenance_work_mem=512MB', 'max_wal_size=8GB']

/** PostgreSQL's setting for a shop of this size; its default of 128 MB is for any machine. */
export const SHARED_BUFFERS = '1GB'

/** The settings by which a shop finds its database. */
export type Settings = { DATA_DIR: string; DATABASE_URL?: string; DEMO: string }

/** Databases with catalogues, each created and filled when it is first used. */
export type Databases = {
  settingsOf: (engine: Engine, products: number) => Promise<Settings>
  close: () => Promise<void>
}

async function fill(
  checkout: string,
  settings: Settings,
  { engine, products }: { engine: Engine; products: number },
): Promise<Settings> {
  const { openDatabase }: typeof import('#db/connect.ts') = await importFrom(
    checkout,
    'db/connect.ts',
  )
  const { migrate }: typeof import('#db/migrate.ts') = await importFrom(checkout, 'db/migrate.ts')
  const { fillCatalogue }: typeof import('./fill.ts') = await importFrom(
    checkout,
    'bench/fill/fill.ts',
  )
  const startedAt = performance.now()
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = settings
  const { db, close } = await openDatabase({ dataDir, ...(databaseUrl && { databaseUrl }) })
  try {
    await migrate(db)
    await fillCatalogue(db, products)
  } finally {
    await close()
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${engine} has ${products} products, in ${seconds} s`)
  return settings
}

/** Throws when PostgreSQL is not installed. */
export async function requirePostgres(settings: string[]): Promise<Postgres> {
  const postgres = await startPostgres(settings)
  if (!postgres) throw new Error('PostgreSQL is not installed.')
  return postgres
}

/** Databases for the shop of a checkout, which fills them. */
export async function openDatabases(checkout: string): Promise<Databases> {
  const folder = await mkdtemp(join(tmpdir(), 'haat-bench-'))
  const filled = new Map<string, Promise<Settings>>()
  const drops: (() => Promise<void>)[] = []
  let server: Promise<Postgres> | undefined
  async function create(engine: Engine, products: number): Promise<Settings> {
    const settings = { DATA_DIR: join(folder, `${engine}-${products}`), DEMO: 'off' }
    if (engine === 'PGlite') return fill(checkout, settings, { engine, products })
    server ??= requirePostgres([...FORGETFUL, ...FOR_FILLING, `shared_buffers=${SHARED_BUFFERS}`])
    const { url, drop } = await createDatabaseOn((await server).url)
    drops.push(drop)
    return fill(checkout, { ...settings, DATABASE_URL: url }, { engine, products })
  }
  return {
    settingsOf(engine, products) {
      const name = `${engine} ${products}`
      const settings = filled.get(name) ?? create(engine, products)
      filled.set(name, settings)
      return settings
    },
    async close() {
      for (const drop of drops) await drop()
      await (await server)?.stop()
      await rm(folder, { recursive: true })
    },
  }
}

/** The version of the PostgreSQL at an address. */
export async function versionOf(databaseUrl: string): Promise<string> {
  const { db, close } = await openDatabase({ databaseUrl, dataDir: '' })
  const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db)
  await close()
  return rows[0]?.server_version ?? ''
}
