/** Imports, each in a process of its own, so that memory is measured separately. */
import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { exportProducts } from '#app/products/server/csv/export.ts'
import { importProducts } from '#app/products/server/csv/import.ts'
import { OWNER } from '#app/shared/server/actor/actor.ts'
import { seed } from '#bench/seed/seed.ts'
import { openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { startPostgres } from '#tests/support/postgres.ts'
import { settled, type Watched, watch } from '../memory.ts'
import { measureWaits, type Waits } from './waits.ts'

export type Import = Watched<number> & { rows: number; embedded: boolean; waits: Waits[] }
type Measured = { watched: Watched<number>; waits: Waits[] }

const inFolder = async <Result>(work: (folder: string) => Promise<Result>) => {
  const folder = await mkdtemp(join(tmpdir(), 'haat-bench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A file of so many products, as the export writes it. */
async function writeProducts(file: string, rows: number) {
  await inFolder(async (dataDir) => {
    const { db, close } = await openDatabase({ dataDir })
    await migrate(db)
    await seed(db, { products: rows })
    await pipeline(exportProducts(db), createWriteStream(file))
    await close()
  })
}

/**
 * Imports a file into an empty shop, on the server at `databaseUrl` or embedded, and measures it.
 */
const importInto = (file: string, databaseUrl?: string) =>
  inFolder(async (dataDir) => {
    const { db, close } = await openDatabase({ databaseUrl, dataDir })
    await migrate(db)
    await settled()
    const watched = await watch(async () => {
      const options = { createCategories: true }
      const { imported, report } = await importProducts(db, OWNER, {
        ...options,
        path: file,
        progress: () => {},
      })
      if (!imported) throw new Error('The import was refused.')
      return report.created
    })
    await close()
    return watched
  })

/** Imports a file while visitors use the shop, which sells one product. */
const waitFor = (file: string, databaseUrl?: string) =>
  inFolder(async (dataDir) => {
    const { db, close } = await openDatabase({ databaseUrl, dataDir })
    await migrate(db)
    await seed(db, { products: 1 })
    const waits = await measureWaits(db, file)
    await close()
    return waits
  })

const inProcess = promisify(execFile)

async function ownProcess(...words: string[]): Promise<string> {
  const command = [...process.execArgv, fileURLToPath(import.meta.url), ...words]
  return (await inProcess(process.execPath, command)).stdout
}

const onPostgres = async <Result>(work: (url: string) => Promise<Result>) => {
  const postgres = await startPostgres()
  if (!postgres) return null
  try {
    return await work(postgres.url)
  } finally {
    await postgres.stop()
  }
}

const askFor = async (what: string, file: string, embedded: boolean) => {
  if (embedded) return JSON.parse(await ownProcess(what, file))
  return onPostgres(async (url) => JSON.parse(await ownProcess(what, file, url)))
}

async function measureImport(
  file: string,
  { embedded, withWaits }: { embedded: boolean; withWaits: boolean },
): Promise<Measured | null> {
  const watched: Watched<number> | null = await askFor('import', file, embedded)
  return watched && { watched, waits: withWaits ? await askFor('wait', file, embedded) : [] }
}

/**
 * Measures imports of so many rows on the embedded database and, if installed, on PostgreSQL; with
 * `waitsAt` rows also the waits of other requests meanwhile.
 */
export const measureImports = (sizes: number[], waitsAt: number): Promise<Import[]> =>
  inFolder(async (folder) => {
    const imports: Import[] = []
    for (const rows of sizes) {
      const file = join(folder, `${rows}.csv`)
      await ownProcess('write', file, String(rows))
      for (const embedded of [true, false]) {
        const measured = await measureImport(file, { embedded, withWaits: rows === waitsAt })
        if (measured) imports.push({ ...measured.watched, waits: measured.waits, rows, embedded })
        console.log(`Imported ${rows} rows: ${measured?.watched.seconds.toFixed(1) ?? '-'} s`)
      }
    }
    return imports
  })

const [, , what, file = '', given] = process.argv
if (import.meta.main && what === 'write') await writeProducts(file, Number(given))
if (import.meta.main && what === 'import')
  console.log(JSON.stringify(await importInto(file, given)))
if (import.meta.main && what === 'wait') console.log(JSON.stringify(await waitFor(file, given)))
