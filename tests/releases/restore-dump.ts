import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { type OpenDatabase, openDatabase } from '#db/connect.ts'
import { openEmbedded } from '#db/embedded.ts'
import { readImage } from '../support/database-image.ts'
import { createDatabaseOn } from '../support/server-database.ts'

const HERE = new URL('./', import.meta.url)

/** The releases with a dump, the oldest first. */
export const RELEASES = readdirSync(HERE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))

/** Those whose shops each run upgrades: the first one and the last two. Before a release (`npm run test:all`), all. */
export const UPGRADED = RELEASES.filter(
  (_, at) => process.env.UPGRADES === 'all' || at === 0 || at >= RELEASES.length - 2,
)

const fileOf = (version: string, name: string) => readFile(new URL(`${version}/${name}`, HERE))

/** The answers of the API when the release itself ran the shop. */
export const readSeen = async (version: string): Promise<Record<string, unknown>> =>
  JSON.parse((await fileOf(version, 'seen.json')).toString())

async function openEmpty(): Promise<OpenDatabase> {
  const url = process.env.DATABASE_URL
  if (!url) {
    const opened = await openEmbedded(undefined, await readImage(inject('databaseImage')))
    // creating one takes many seconds, emptying a copy does not
    await opened.pglite.exec('drop schema public cascade; create schema public')
    return opened
  }
  const own = await createDatabaseOn(url)
  const opened = await openDatabase({ databaseUrl: own.url, dataDir: '' })
  const close = async () => {
    await opened.close()
    await own.drop()
  }
  return { ...opened, close }
}

/**
 * The database of a release, embedded, or on PostgreSQL when DATABASE_URL is set; not migrated. The
 * dump is enough for the embedded one, too: each release has PGlite 0.5 with PostgreSQL 18, whose files
 * are the same, so only schema and rows differ. A packed data folder has 5.3 MB even without a shop.
 */
export async function restoreDump(version: string): Promise<OpenDatabase> {
  const statements = gunzipSync(await fileOf(version, 'database.sql.gz')).toString()
  const opened = await openEmpty()
  await opened.db.connection().execute(async (connection) => {
    if (opened.pglite) await opened.pglite.exec(statements)
    else await sql.raw(statements).execute(connection)
    // pg_dump qualifies every table with its schema, and empties the search path
    await sql`reset search_path`.execute(connection)
  })
  return opened
}
