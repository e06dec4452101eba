import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OpenDatabase, openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import type { Database } from '#db/schema.ts'
import { type Postgres, startPostgres } from '#tests/support/postgres.ts'
import { createDatabaseOn } from '#tests/support/server-database.ts'
import { type Population, populate } from './populate.ts'

/** Where the shops of a stage keep what they sell. */
export type StageDatabase = {
  kind: 'PGlite' | 'PostgreSQL'
  population: Population
  /** What a shop is set to in order to use it. */
  settings: Record<string, string>
  /** Looks into it in one snapshot; the embedded one only while no shop has it open. */
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

/** Making an embedded database takes many seconds: it is made once, and copied. */
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
  open: (folder?: string) => Promise<StageDatabase>
  close: () => Promise<void>
}

/** Its template is made while the server's faults are tried already. */
export function embedded(): Embedded {
  const making = makeTemplate()
  return {
    async open(folder) {
      const template = await making
      const dataDir = folder ?? (await temporary())
      await cp(template.folder, dataDir, { recursive: true })
      const look: StageDatabase['look'] = async (work) => {
        // a copy: what a killed shop left has to be mended by the next shop, not by a look
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

export type Server = { open: () => Promise<StageDatabase>; close: () => Promise<void> }

/**
 * Its settings are the usual ones: what it has committed survives. Each shop on it is so many
 * processes. Null where it is not installed.
 */
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
        ...{ kind: 'PostgreSQL', population, server },
        settings: { DATABASE_URL: own.url, WORKERS: String(workers) },
        look: async (work) => inSnapshot(await openOwn(), work),
        close: own.drop,
      }
    },
    close: server.stop,
  }
}
