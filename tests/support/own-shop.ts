import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEMO_ADMIN } from '#demo/accounts.ts'
import { test as base } from './journey.ts'
import { startShopProcess } from './shop-process.ts'

/** Opens the account of the admin in a shop that is not running. */
function createAdmin(folder: string) {
  const { email, password } = DEMO_ADMIN
  const words = ['admin', 'create', '--email', email, '--name', 'Ada', '--password-stdin']
  execFileSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'bin/shop.ts', ...words],
    { input: password, env: { ...process.env, DATA_DIR: folder, DATABASE_URL: '' } },
  )
}

/** The test function of journeys whose settings would change the carts of others: each starts a shop without products. */
export const test = base.extend({
  address: async ({ browserName: _ }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'haat-journey-'))
    createAdmin(folder)
    const shop = await startShopProcess({ DATA_DIR: folder, DEMO: 'off', PAYMENTS: 'sandbox' })
    await use(shop.address)
    await shop.stop()
    await rm(folder, { recursive: true })
  },
})
