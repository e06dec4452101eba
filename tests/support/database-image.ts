import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { Kysely, PGliteDialect } from 'kysely'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import type { Schema } from '#db/schema.ts'
import { dropDatabasesOn } from './server-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseImage: string
    databasePrefix: string
  }
}

/** On a server, drops the databases of the run after it; they have a prefix of their own. */
function setupOnServer(project: TestProject, url: string) {
  const prefix = `haat_test_${process.pid}_`
  project.provide('databasePrefix', prefix)
  return () => dropDatabasesOn(url, prefix)
}

/** Creates one migrated embedded database, so that each test file starts from a copy. */
export default async function setup(project: TestProject) {
  const { DATABASE_URL } = process.env
  if (DATABASE_URL) return setupOnServer(project, DATABASE_URL)
  const folder = await mkdtemp(join(tmpdir(), 'haat-test-'))
  const image = join(folder, 'image.tar')
  const pglite = await PGlite.create({ extensions: { pg_trgm } })
  await migrate(new Kysely<Schema>({ dialect: new PGliteDialect({ pglite }) }))
  const dump = await pglite.dumpDataDir('none')
  await writeFile(image, Buffer.from(await dump.arrayBuffer()))
  await pglite.close()
  project.provide('databaseImage', image)
  return () => rm(folder, { recursive: true })
}

export const readImage = async (path: string) => new Blob([await readFile(path)])

/**
 * A folder with a migrated embedded database. Creating one takes many seconds, and is needed only
 * when the tests run on a server, which has no image.
 */
export async function unpackDatabase(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'haat-disk-'))
  const image = inject('databaseImage')
  if (!image) {
    const { db, close } = await openDatabase({ dataDir })
    await migrate(db)
    await close()
    return dataDir
  }
  const pgdata = join(dataDir, 'pgdata')
  await mkdir(pgdata)
  execFileSync('tar', ['-xf', image, '-C', pgdata], { stdio: 'pipe' })
  return dataDir
}
