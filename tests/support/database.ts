import { Kysely, PGliteDialect, sql } from 'kysely'
import { inject } from 'vitest'
import { type OpenDatabase, openDatabase, type QueryListener } from '#db/connect.ts'
import { type EmbeddedDatabase, openEmbedded } from '#db/embedded.ts'
import { migrate } from '#db/migrate.ts'
import type { Schema } from '#db/schema.ts'
import { readImage } from './database-image.ts'
import { createDatabaseOn } from './server-database.ts'

/** Databases on the server that this worker has created, and that no test uses now. */
const idleOnServer: string[] = []

async function createOnServer(url: string): Promise<string> {
  const created = await createDatabaseOn(url, inject('databasePrefix'))
  const { db, close } = await openDatabase({ databaseUrl: created.url, dataDir: '' })
  await migrate(db)
  await close()
  return created.url
}

/** A database on the server at `url`. Closing empties it for the next test file. */
async function openOnServer(url: string, onQuery?: QueryListener): Promise<OpenDatabase> {
  const databaseUrl = idleOnServer.pop() ?? (await createOnServer(url))
  const opened = await openDatabase({ databaseUrl, dataDir: '', onQuery })
  const close = async () => {
    await opened.db.connection().execute((connection) => reset(connection))
    await opened.close()
    idleOnServer.push(databaseUrl)
  }
  return { ...opened, close }
}

/** Whether the tests run on a PostgreSQL server, where statements run concurrently. */
export const onServer = Boolean(process.env.DATABASE_URL)

/** Embedded databases of this worker that no test uses now. */
const idle: EmbeddedDatabase['pglite'][] = []

const TRUNCATE_ALL = `
  do $$ begin
    execute (
      select 'truncate ' || string_agg(format('%I', tablename), ', ') || ' restart identity'
      from pg_tables where schemaname = 'public' and tablename <> 'kysely_migration'
    );
  end $$`

/** Empties a database for the next test file, without the triggers that protect the audit log. */
async function reset(db: Kysely<Schema>) {
  await sql`discard all`.execute(db)
  await sql`set session_replication_role = replica`.execute(db)
  await sql.raw(TRUNCATE_ALL).execute(db)
  await sql`reset session_replication_role`.execute(db)
}

/** An embedded database in memory. Closing empties it: opening another one takes half a second. */
async function openInMemory(onQuery?: QueryListener): Promise<OpenDatabase> {
  const pglite =
    idle.pop() ?? (await openEmbedded(undefined, await readImage(inject('databaseImage')))).pglite
  const db = new Kysely<Schema>({
    dialect: new PGliteDialect({ pglite }),
    ...(onQuery && { log: onQuery }),
  })
  // `db.destroy` would close the database.
  const close = async () => {
    await db.connection().execute((connection) => reset(connection))
    idle.push(pglite)
  }
  return { db, embedded: true, close, watch() {} }
}

/** A fresh, migrated database: embedded, or on PostgreSQL when DATABASE_URL is set. */
export async function openTestDatabase(onQuery?: QueryListener): Promise<OpenDatabase> {
  const url = process.env.DATABASE_URL
  if (url) return openOnServer(url, onQuery)
  return openInMemory(onQuery)
}
