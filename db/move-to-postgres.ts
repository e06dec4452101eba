import { pgDump } from '@electric-sql/pglite-tools/pg_dump'
import { sql } from 'kysely'
import { openDatabase } from './connect.ts'
import { hasPgdata } from './data-folder.ts'
import { type EmbeddedDatabase, openEmbedded } from './embedded.ts'
import { hasShop } from './migrate.ts'
import type { Database } from './schema.ts'

const PG_DUMP_OPTIONS = [
  '--no-owner',
  '--no-privileges',
  '--no-comments',
  '--exclude-table-data=pictures',
]

/** Written by pg_dump, and unknown to PostgreSQL before version 17. */
const TRANSACTION_TIMEOUT = /^SET transaction_timeout = .*$/m

/** Everything but the pictures, as SQL that creates the tables and fills them. */
async function dumpAsSql({ pglite }: EmbeddedDatabase): Promise<string> {
  const file = await pgDump({ pg: pglite, args: PG_DUMP_OPTIONS })
  return (await file.text()).replace(TRANSACTION_TIMEOUT, '')
}

/** Copies the pictures photo by photo, and those of the settings, because all would not fit into memory. */
async function copyPictures(from: Database, to: Database) {
  const owners = from.selectFrom('pictures').select('photo_id').distinct()
  for (const { photo_id } of await owners.execute()) {
    const pictures = await from
      .selectFrom('pictures')
      .where('photo_id', 'is not distinct from', photo_id)
      .selectAll()
      .execute()
    await to.insertInto('pictures').values(pictures).execute()
  }
}

/**
 * Copies the embedded database of a stopped shop into an empty database on a PostgreSQL server, in
 * one transaction. The embedded database is not changed. Throws a user-readable message when the
 * shop is running, or when the other database contains a shop.
 */
export async function moveToPostgres(dataDir: string, databaseUrl: string): Promise<void> {
  if (!hasPgdata(dataDir)) throw new Error(`There is no embedded database in ${dataDir}.`)
  const target = await openDatabase({ databaseUrl, dataDir })
  try {
    if (await hasShop(target.db))
      throw new Error('The database at DATABASE_URL already contains a shop. Use an empty one.')
    const source = await openEmbedded(dataDir)
    try {
      const statements = await dumpAsSql(source)
      await target.db.transaction().execute(async (tx) => {
        await sql.raw(statements).execute(tx)
        // pg_dump qualifies every table with its schema, and empties the search path
        await sql`reset search_path`.execute(tx)
        await copyPictures(source.db, tx)
      })
    } finally {
      await source.close()
    }
  } finally {
    await target.close()
  }
}
