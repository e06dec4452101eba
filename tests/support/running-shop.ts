import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabaseOn } from './server-database.ts'
import { startShopProcess } from './shop-process.ts'

export const SANDBOX_SECRET = 'sandbox-secret-of-the-browser-tests'

/** The Node process after the whole suite may hold this many MB: embedded, on PostgreSQL. */
const MEMORY_MB = { embedded: 450, server: 220 }

/** One real shop with the demo data, for every journey; its address goes to the workers. */
export default async function openShop() {
  const dataDir = await mkdtemp(join(tmpdir(), 'haat-e2e-'))
  const server = process.env.DATABASE_URL
  const database = server ? await createDatabaseOn(server) : undefined
  const shop = await startShopProcess({
    DATA_DIR: dataDir,
    DEMO: 'on',
    SANDBOX_SECRET,
    ...(database && { DATABASE_URL: database.url }),
  })
  process.env.SHOP_ADDRESS = shop.address
  return async () => {
    const memory = shop.residentMb()
    await shop.stop()
    await database?.drop()
    await rm(dataDir, { recursive: true })
    process.stdout.write(shop.output())
    const limit = database ? MEMORY_MB.server : MEMORY_MB.embedded
    process.stdout.write(`\nThe shop holds ${memory ?? '?'} MB after the suite, of ${limit} MB.\n`)
  }
}
