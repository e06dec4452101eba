import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OpenDatabase, openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import type { Database } from '#db/schema.ts'
import { type Postgres, startPostgres } from '#tests/support/postgres.ts'
import { createDatabaseOn } from '#tests/support/server-database.ts'
import { type Population, populate } from './fixtures.ts'

/** A database of shops under test. */
export type TestDatabase = {
  kind: 'PGlite' | 'PostgreSQL'
  population: Population
  /** The settings of a shop that uses it. */
  settings: Record<string, string>
  /** Reads it in one snapshot; the embedded one only while no shop has it open. */
  look: <Found>(work: (db: Database) => Promise<Found>) => Promise<Found>
  /** The server under it, which may be killed. */
  server?: Postgres
  close: () => Promise<void>
}

const inSnapshot = async <Found>(
  { db, close }: OpenDatabase,
  work: (db: Database) => Promise<Found>,
): Promise<Found> => {
  try {
    return await db.transaction().setIsolationLevel('repeatable read').execute(work)
  } finally {
    await close()
  }
}

const temporary = () => mkdtemp(join(tmpdir(), 'haat-faults-'))

/** Creating an embedded database takes seconds, so one is created and copied. */
async function makeTemplate() {
  const folder = await temporary()
  const { db, close } = await openDatabase({ dataDir: folder })
  await migrate(db)
  const population = await populate(db)
  await close()
  return { folder, population }
}

export type Embedded = {
  /** A database of its own in a folder: a new one, or the one given. */
  open: (folder?: string) => Promise<TestDatabase>
  close: () => Promise<void>
}

/** Its template is made in the background. */
export function embedded(): Embedded {
  const making = makeTemplate()
  return {
    async open(folder) {
      const template = await making
      const dataDir = folder ?? (await temporary())
      await cp(template.folder, dataDir, { recursive: true })
      const look: TestDatabase['look'] = async (work) => {
        // a copy: the next shop, and not this read, has to recover from a kill
        const copy = await temporary()
        await cp(join(dataDir, 'pgdata'), join(copy, 'pgdata'), { recursive: true })
        const found = await inSnapshot(await openDatabase({ dataDir: copy }), work)
        await rm(copy, { recursive: true })
        return found
      }
      const close = () => rm(dataDir, { recursive: true, force: true })
      const { population } = template
      return { kind: 'PGlite', population, settings: { DATA_DIR: dataDir }, look, close }
    },
    close: async () => rm((await making).folder, { recursive: true }),
  }
}

export type Server = { open: () => Promise<TestDatabase>; close: () => Promise<void> }

/** A PostgreSQL server with default durability; null where PostgreSQL is not installed. */
export async function postgresServer(workers: number): Promise<Server | null> {
  const server = await startPostgres([])
  if (!server) return null
  return {
    async open() {
      const own = await createDatabaseOn(server.url)
      const openOwn = () => openDatabase({ databaseUrl: own.url, dataDir: '' })
      const { db, close } = await openOwn()
      await migrate(db)
      const population = await populate(db)
      await close()
      return {
        kind: 'PostgreSQL',
        population,
        server,
        settings: { DATABASE_URL: own.url, WORKERS: String(workers) },
        look: async (work) => inSnapshot(await openOwn(), work),
        close: own.drop,
      }
    },
    close: server.stop,
  }
}
