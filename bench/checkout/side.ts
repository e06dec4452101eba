/** A shop that sells in the benchmark: of this checkout or of another one, which has the same API. */
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { OWNER } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { openDatabase } from '#db/connect.ts'
import { createDatabaseOn } from '#tests/support/server-database.ts'
import { startShopProcess } from '#tests/support/shop-process.ts'
import { mailSettings } from '#tests/support/smtp.ts'
import { commitOf, importFrom } from '../shop.ts'
import type { addFixtures, Buyer } from './fixtures.ts'
import { openMails } from './mails.ts'
import { SETTINGS } from './record.ts'

export type Side = {
  /** The commit of the checkout. */
  name: string
  address: string
  databaseUrl: string
  buyers: Buyer[]
  mails: Awaited<ReturnType<typeof openMails>>
  stop: () => Promise<void>
}

/** The buyers of release 0.2.0 have no addresses to which e-mails can be sent. */
async function completeAddresses(databaseUrl: string) {
  const { db, close } = await openDatabase({ databaseUrl, dataDir: '' })
  await inTransaction(db, OWNER, (tx) =>
    sql`update users set email = email || '@example.com' where email not like '%@%'`.execute(tx),
  )
  await close()
}

/** Fills an empty database with products and buyers, by the code of a checkout. */
export async function fillShop(databaseUrl: string, root: string): Promise<Buyer[]> {
  const other: typeof import('#db/connect.ts') = await importFrom(root, 'db/connect.ts')
  const { migrate }: typeof import('#db/migrate.ts') = await importFrom(root, 'db/migrate.ts')
  const fixtures = await importFrom(root, 'bench/checkout/fixtures.ts')
  const add: typeof addFixtures = fixtures.addFixtures
  const { db, close } = await other.openDatabase({ databaseUrl, dataDir: '' })
  await migrate(db)
  const buyers = await add(db)
  await close()
  await completeAddresses(databaseUrl)
  return buyers
}

/** Starts the shop of a checkout as `npm start` does, on a database of its own. It sends e-mails to `smtp`. */
export async function openSide(
  url: string,
  root: string,
  { folder, workers, smtp }: { folder: string; workers: number; smtp: { url: string } },
): Promise<Side> {
  const database = await createDatabaseOn(url)
  const buyers = await fillShop(database.url, root)
  const settings = {
    ...SETTINGS,
    ...mailSettings(smtp),
    DATABASE_URL: database.url,
    DATA_DIR: await mkdtemp(join(folder, 'shop-')),
    WORKERS: String(workers),
    DEMO: 'off',
  }
  const shop = await startShopProcess(settings, root)
  const mails = await openMails(database.url)
  return {
    name: commitOf(root),
    address: shop.address,
    databaseUrl: database.url,
    buyers,
    mails,
    stop: async () => {
      await mails.close()
      await shop.stop()
    },
  }
}
