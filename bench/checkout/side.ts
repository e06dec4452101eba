/** A shop that sells in the benchmark: of this checkout or of an older one, which has the same API. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { createDatabaseOn } from '#tests/support/server-database.ts'
import { startShopProcess } from '#tests/support/shop-process.ts'
import { importFrom } from '../shop.ts'
import type { addFixtures, Buyer } from './fixtures.ts'
import { SETTINGS } from './record.ts'

export type Side = {
  /** The commit of the checkout. */
  name: string
  address: string
  databaseUrl: string
  buyers: Buyer[]
  stop: () => Promise<void>
}

/** Fills an empty database with products and buyers, by the code of a checkout. */
export async function fillShop(databaseUrl: string, root: string): Promise<Buyer[]> {
  const { openDatabase }: typeof import('#db/connect.ts') = await importFrom(root, 'db/connect.ts')
  const { migrate }: typeof import('#db/migrate.ts') = await importFrom(root, 'db/migrate.ts')
  const { db, close } = await openDatabase({ databaseUrl, dataDir: '' })
  await migrate(db)
  // older commits have it by another name
  const isOlder = existsSync(join(root, 'bench/checkout/stage.ts'))
  const add: typeof addFixtures = isOlder
    ? (await importFrom(root, 'bench/checkout/stage.ts')).setStage
    : (await importFrom(root, 'bench/checkout/fixtures.ts')).addFixtures
  const buyers = await add(db)
  await close()
  return buyers
}

const commitOf = (root: string) =>
  execFileSync('git', ['-C', root, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()

/** Starts the shop of a checkout as `npm start` does, on a database of its own. */
export async function openSide(
  url: string,
  root: string,
  { folder, workers }: { folder: string; workers: number },
): Promise<Side> {
  const database = await createDatabaseOn(url)
  const buyers = await fillShop(database.url, root)
  const settings = {
    ...SETTINGS,
    DATABASE_URL: database.url,
    DATA_DIR: await mkdtemp(join(folder, 'shop-')),
    WORKERS: String(workers),
    DEMO: 'off',
  }
  const shop = await startShopProcess(settings, root)
  return {
    name: commitOf(root),
    address: shop.address,
    databaseUrl: database.url,
    buyers,
    stop: async () => {
      await shop.stop()
    },
  }
}
