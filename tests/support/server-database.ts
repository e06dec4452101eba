import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { openDatabase } from '#db/connect.ts'

/** Creates an empty database of its own on the server at `url`; `drop` also ends who still uses it. */
export async function createDatabaseOn(
  url: string,
): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = await openDatabase({ databaseUrl: url, dataDir: '' })
  const name = `haat_test_${randomUUID().replaceAll('-', '')}`
  await sql`create database ${sql.id(name)}`.execute(server.db)
  const own = new URL(url)
  own.pathname = `/${name}`
  const drop = async () => {
    await sql`drop database ${sql.id(name)} with (force)`.execute(server.db)
    await server.close()
  }
  return { url: own.href, drop }
}
