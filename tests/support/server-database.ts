import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { openDatabase } from '#db/connect.ts'
import type { Schema } from '#db/schema.ts'

/** Connections close a moment after their pool; a forced drop would cause errors in them. */
async function whenUnused(db: Kysely<Schema>, name: string) {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const { rows } = await sql`select 1 from pg_stat_activity where datname = ${name}`.execute(db)
    if (rows.length === 0) return
    await setTimeout(20)
  }
}

/**
 * Creates an empty database on the server at `url`. `drop` waits for its connections to close, and ends
 * those that do not.
 */
export async function createDatabaseOn(
  url: string,
  prefix = 'haat_test_',
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = prefix + randomUUID().replaceAll('-', '')
  const server = await openDatabase({ databaseUrl: url, dataDir: '' })
  await sql`create database ${sql.id(name)}`.execute(server.db)
  await server.close()
  const own = new URL(url)
  own.pathname = `/${name}`
  return { url: own.href, drop: () => dropDatabasesOn(url, name) }
}

/** Drops all databases on the server at `url` whose name begins so. */
export async function dropDatabasesOn(url: string, prefix: string): Promise<void> {
  const { db, close } = await openDatabase({ databaseUrl: url, dataDir: '' })
  const { rows } = await sql<{ datname: string }>`
    select datname from pg_database where starts_with(datname, ${prefix})`.execute(db)
  for (const { datname } of rows) {
    await whenUnused(db, datname)
    await sql`drop database ${sql.id(datname)} with (force)`.execute(db)
  }
  await close()
}
