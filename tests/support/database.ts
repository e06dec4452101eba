import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { type OpenDatabase, openDatabase, openEmbedded } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { readImage } from './database-image.ts'

/** A database of its own on the server at `url`, dropped when it is closed. */
async function openOnServer(url: string): Promise<OpenDatabase> {
  const server = await openDatabase({ databaseUrl: url, dataDir: '' })
  const name = `haat_test_${randomUUID().replaceAll('-', '')}`
  await sql`create database ${sql.id(name)}`.execute(server.db)
  const own = new URL(url)
  own.pathname = `/${name}`
  const opened = await openDatabase({ databaseUrl: own.href, dataDir: '' })
  await migrate(opened.db)
  const close = async () => {
    await opened.close()
    await sql`drop database ${sql.id(name)} with (force)`.execute(server.db)
    await server.close()
  }
  return { ...opened, close }
}

/** A fresh, migrated database: embedded, or on PostgreSQL when DATABASE_URL is set. */
export async function openTestDatabase(): Promise<OpenDatabase> {
  const url = process.env.DATABASE_URL
  if (url) return openOnServer(url)
  return openEmbedded(undefined, await readImage(inject('databaseImage')))
}
