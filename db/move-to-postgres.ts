import { pgDump } from '@electric-sql/pglite-tools/pg_dump'
import { sql } from 'kysely'
import { openDatabase } from './connect.ts'
import { type EmbeddedDatabase, openEmbedded } from './embedded.ts'
import { hasShop } from './migrate.ts'
import { hasPgdata } from './pgdata.ts'
import type { Database } from './schema.ts'

const PG_DUMP_OPTIONS = [
  '--no-owner',
  '--no-privileges',
  '--no-comments',
  '--exclude-table-data=product_photos',
]

/** Written by pg_dump, and unknown to PostgreSQL before version 17. */
const TRANSACTION_TIMEOUT = /^SET transaction_timeout = .*$/m

/** Everything but the photos, as SQL that creates the tables and fills them. */
async function dumpAsSql({ pglite }: EmbeddedDatabase): Promise<string> {
  const file = await pgDump({ pg: pglite, args: PG_DUMP_OPTIONS })
  return (await file.text()).replace(TRANSACTION_TIMEOUT, '')
}

/** Copies the photos product by product, because they would not fit into memory. */
async function copyPhotos(from: Database, to: Database) {
  const photographed = from.selectFrom('product_photos').select('product_id').distinct()
  for (const { product_id } of await photographed.execute()) {
    const photos = from.selectFrom('product_photos').where('product_id', '=', product_id)
    await to
      .insertInto('product_photos')
      .values(await photos.selectAll().execute())
      .execute()
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
        await copyPhotos(source.db, tx)
      })
    } finally {
      await source.close()
    }
  } finally {
    await target.close()
  }
}
