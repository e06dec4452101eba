import type { Kysely } from 'kysely'
import { openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import type { Schema } from '#db/schema.ts'
import { readConfig } from '#server/config.ts'

/**
 * Does the work on the shop's database, brought up to date; the settings are those of the shop. The
 * embedded database of a running shop is reached through its door. A work that needs the database
 * `alone` has it as it is found.
 */
export async function inShop<Result>(
  work: (db: Kysely<Schema>) => Promise<Result>,
  { alone = false } = {},
): Promise<Result> {
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = readConfig()
  const { db, close } = await openDatabase({
    ...{ databaseUrl, dataDir, throughDoor: !alone },
  })
  try {
    if (!alone) await migrate(db)
    return await work(db)
  } finally {
    await close()
  }
}
