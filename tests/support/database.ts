import { inject } from 'vitest'
import { type OpenDatabase, openDatabase, type QueryListener } from '#db/connect.ts'
import { openEmbedded } from '#db/embedded.ts'
import { migrate } from '#db/migrate.ts'
import { readImage } from './database-image.ts'
import { createDatabaseOn } from './server-database.ts'

/** A new database on the server at `url`, dropped when it is closed. */
async function openOnServer(url: string, onQuery?: QueryListener): Promise<OpenDatabase> {
  const own = await createDatabaseOn(url)
  const opened = await openDatabase({ databaseUrl: own.url, dataDir: '', onQuery })
  await migrate(opened.db)
  const close = async () => {
    await opened.close()
    await own.drop()
  }
  return { ...opened, close }
}

/** Whether the tests run on a PostgreSQL server, where statements run concurrently. */
export const onServer = Boolean(process.env.DATABASE_URL)

/** A new migrated database: embedded, or on PostgreSQL when DATABASE_URL is set. */
export async function openTestDatabase(onQuery?: QueryListener): Promise<OpenDatabase> {
  const url = process.env.DATABASE_URL
  if (url) return openOnServer(url, onQuery)
  return openEmbedded(undefined, await readImage(inject('databaseImage')), onQuery)
}
