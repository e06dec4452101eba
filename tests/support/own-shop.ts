import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext } from '@playwright/test'
import { DEMO_ADMIN } from '#demo/accounts.ts'
import { socketAt, takingMoneyOrders } from './add-money-order.ts'
import { freePort } from './free-port.ts'
import {
  test as base,
  keepSession,
  logIn,
  register,
  useWithoutFaults,
  type Visitor,
} from './journey.ts'
import { SANDBOX_SECRET } from './running-shop.ts'
import { type ShopProcess, startShopProcess } from './shop-process.ts'
import { openSmtp } from './smtp.ts'

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

export const SANDBOX = { PAYMENTS: 'sandbox', SANDBOX_SECRET }

type Opening = { hasAdmin: boolean; settings?: Record<string, string> }

/** Starts a shop without products. */
async function openOwnShop({ hasAdmin, settings = {} }: Opening) {
  const folder = await mkdtemp(join(tmpdir(), 'haat-journey-'))
  if (hasAdmin) createAdmin(folder)
  const port = `${await freePort()}`
  const socket = socketAt(`http://127.0.0.1:${port}`)
  const intake = takingMoneyOrders(socket)
  const own = { DATA_DIR: folder, DEMO: 'off', PORT: port, ...intake, ...settings }
  const start = (more: Record<string, string>) => startShopProcess({ ...own, ...more })
  const shop = await start({})
  let running = shop
  /** Starts it again at the same address, with other settings of the environment. */
  const restart = async (more: Record<string, string>) => {
    await running.stop()
    running = await start(more)
  }
  const close = async () => {
    await running.stop()
    await rm(folder, { recursive: true })
    await rm(socket, { force: true })
  }
  return { shop, restart, close }
}

type OwnShop = Awaited<ReturnType<typeof openOwnShop>>

/** The test function of journeys whose settings would change the carts of others: each starts a shop without products. */
export const test = base.extend<{
  /** Settings of the environment; by default with the sandbox. */
  environment: Record<string, string>
}>({
  environment: [SANDBOX, { option: true }],
  address: async ({ environment: settings }, use) => {
    const { shop, close } = await openOwnShop({ hasAdmin: true, settings })
    await use(shop.address)
    await close()
  },
})

/** A test with a shop of its own that has no admin. */
export const testInNewShop = base.extend<{ ownShop: OwnShop; shop: ShopProcess }>({
  ownShop: async ({ browserName: _ }, use) => {
    const own = await openOwnShop({ hasAdmin: false, settings: SANDBOX })
    await use(own)
    await own.close()
  },
  shop: async ({ ownShop }, use) => use(ownShop.shop),
  address: async ({ shop }, use) => use(shop.address),
})

type Own = { ownShop: string; ownAdmin: Visitor; ownCustomer: Visitor; ownContext: BrowserContext }

/** An SMTP server that refuses every recipient. */
async function openRefusingSmtp() {
  const smtp = await openSmtp()
  smtp.behaviour.recipient = () => ({ code: 550, text: 'There is no such mailbox.' })
  return smtp
}

/**
 * A test with one shop, one customer, and one browser context for all tests of a worker, so that
 * scripts are loaded once. The admin is logged in, the pages have Playwright's clock, and e-mails bounce.
 */
export const testInOneShop = base.extend<object, Own>({
  ownShop: [
    async ({ browserName: _ }, use) => {
      const smtp = await openRefusingSmtp()
      const sender = { MAIL_FROM: 'shop@example.com', SHOP_URL: 'http://127.0.0.1' }
      const settings = { ...SANDBOX, SMTP_URL: smtp.url, ...sender }
      const { shop, close } = await openOwnShop({ hasAdmin: true, settings })
      await use(shop.address)
      await close()
      await smtp.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  ownAdmin: [
    async ({ ownShop }, use) => use(await logIn(ownShop, DEMO_ADMIN)),
    { scope: 'worker' },
  ],
  ownCustomer: [async ({ ownShop }, use) => use(await register(ownShop)), { scope: 'worker' }],
  ownContext: [
    async ({ browser, ownShop, ownAdmin }, use, { project }) => {
      const { locale = 'en-US', viewport = null } = project.use
      const context = await browser.newContext({ baseURL: ownShop, locale, viewport })
      await keepSession(context, ownShop, ownAdmin)
      await context.clock.install()
      await use(context)
      await context.close()
    },
    { scope: 'worker' },
  ],
  address: async ({ ownShop }, use) => use(ownShop),
  admin: async ({ ownAdmin }, use) => use(ownAdmin),
  customer: async ({ ownCustomer }, use) => use(ownCustomer),
  context: async ({ ownContext, serverFails }, use) => {
    await useWithoutFaults(ownContext, { serverFails, hasClock: true }, use)
    await Promise.all(ownContext.pages().map((page) => page.close()))
  },
})
