/**
 * The first hour of a merchant, by automation: from an empty folder to a paid test order in a shop with
 * a name, a logo, settings and a product of its own. `docs/first-hour.md` is the same way by hand.
 */
import { appendFile, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { fillRegistration, logIn } from '#tests/support/account-forms.ts'
import { photoOf } from '#tests/support/back-office.ts'
import { copyCheckout } from '#tests/support/copy-checkout.ts'
import { freePort } from '#tests/support/free-port.ts'
import { test as base, expect } from '#tests/support/journey.ts'
import { confirm, payButton } from '#tests/support/payment-dialog.ts'
import { type NpmCommand, npm } from './npm.ts'

/** A command of npm that takes longer hangs. */
const LIMIT_MS = 600_000

const OWNER = { email: 'ada@example.com', password: 'correct-horse' }
const CUSTOMER = 'asha@example.com'

/** Measures the parts of the way, in seconds. */
function stopwatch() {
  const parts: Record<string, number> = {}
  let last = performance.now()
  return {
    /** The part since the one before ends. */
    end(part: string) {
      const now = performance.now()
      parts[part] = (now - last) / 1000
      last = now
    },
    total: () => Object.values(parts).reduce((sum, one) => sum + one, 0),
    inWords: () =>
      Object.entries(parts)
        .map(([part, seconds]) => `${part} ${Math.round(seconds)} s`)
        .join(', '),
  }
}

type NewShop = { address: string; code: string; watch: ReturnType<typeof stopwatch> }

/** Follows "Open your own shop" in README.md: the settings, then `npm start`. */
async function start(folder: string): Promise<NpmCommand> {
  await copyFile(join(folder, '.env.example'), join(folder, '.env'))
  const settings = `\nDEMO=off\nPAYMENTS=sandbox\nPORT=${await freePort()}\n`
  await appendFile(join(folder, '.env'), settings)
  return npm(folder, ['start'], 2 * LIMIT_MS)
}

const test = base.extend<{ shop: NewShop }>({
  shop: async ({ browserName: _ }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'haat-first-hour-'))
    let shop: NpmCommand | undefined
    try {
      const watch = stopwatch()
      await copyCheckout(folder)
      await npm(folder, ['install', '--prefer-offline'], LIMIT_MS).done
      watch.end('install')
      shop = await start(folder)
      const [address = '', code = ''] = await shop.prints(
        /is open at (http:\S+)[\s\S]*^Code of the first run: (\S+)$/m,
      )
      watch.end('build and start')
      await use({ address, code, watch })
    } finally {
      await shop?.stop()
      await rm(folder, { recursive: true })
    }
  },
  address: async ({ shop }, use) => use(shop.address),
})

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const follow = (page: Page, name: string) =>
  page.getByRole('link', { name, exact: true }).first().click()

async function fill(page: Page, fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields)) {
    await page.getByLabel(label, { exact: true }).fill(value)
  }
}

async function makeAdmin(page: Page, code: string) {
  await page.goto('/')
  await follow(page, 'Set up the shop')
  await fill(page, { Code: code, 'Shop name': 'Tea House', 'Your name': 'Ada' })
  await fill(page, { Email: OWNER.email, Password: OWNER.password })
  await page.getByLabel('Country', { exact: true }).selectOption('IN')
  await page.getByLabel('Currency', { exact: true }).selectOption('USD')
  await press(page, 'Open the shop')
  await expect(page.getByText('1 of 9 steps are done.')).toBeVisible()
}

/** Saves a page of the settings, whose bar goes away. */
async function saveSettings(page: Page) {
  await press(page, 'Save settings')
  await expect(page.getByRole('button', { name: 'Save settings' })).toBeHidden()
}

async function changeSettings(page: Page) {
  await follow(page, 'Name and tagline')
  await fill(page, { Tagline: 'leaves and clay' })
  await saveSettings(page)
  await follow(page, 'Home')
  await follow(page, 'Logo and colours')
  await page.getByLabel('Logo', { exact: true }).setInputFiles(await photoOf('#1d4ed8'))
  await expect(page.getByAltText('The logo')).toBeVisible()
  await fill(page, { 'Accent colour': '#1d4ed8' })
  await saveSettings(page)
}

async function addProduct(page: Page) {
  await follow(page, 'Create Category')
  await fill(page, { 'Category name': 'Cups' })
  await press(page, 'Submit')
  await expect(page.getByRole('cell', { name: 'Cups', exact: true })).toBeVisible()
  await follow(page, 'Create Product')
  await page.getByRole('combobox', { name: 'Category', exact: true }).fill('Cups')
  await page.getByRole('option', { name: 'Cups', exact: true }).click()
  await page.getByLabel('Photo').setInputFiles(await photoOf('#b4441f'))
  await fill(page, { Name: 'Clay cup', Description: 'Holds tea.', Price: '12.5', Quantity: '7' })
  await press(page, 'CREATE PRODUCT')
  await expect(page.getByText('Product Created Successfully')).toBeVisible()
  await follow(page, 'Home')
  await expect(page.getByText('3 of 9 steps are done.')).toBeVisible()
}

async function logOut(page: Page) {
  await press(page, 'Logout')
  await expect(page).toHaveURL('/login')
}

/** The merchant's settings as a guest sees them. */
async function expectOwnShop(page: Page) {
  await page.goto('/')
  await expect(page).toHaveTitle('Tea House: leaves and clay')
  const logo = page.getByRole('banner').getByAltText('Tea House')
  await expect.poll(() => logo.evaluate((img: HTMLImageElement) => img.naturalWidth)).not.toBe(0)
  await expect(page.getByRole('heading', { name: 'Clay cup' })).toBeVisible()
}

/** Registers, buys the product, and sees the paid order. */
async function buy(page: Page) {
  await press(page, 'Add to Cart')
  await page.getByRole('link', { name: /^Cart/ }).click()
  await page.getByText('Please Login to Checkout').click()
  await page.getByRole('main').getByRole('button', { name: 'Register' }).click()
  await fillRegistration(page, CUSTOMER)
  await press(page, 'REGISTER')
  await expect(page).toHaveURL('/login')
  await logIn(page, CUSTOMER)
  await payButton(page).click()
  await confirm(page)
  await expect(page.getByText('Payment Successful')).toBeVisible()
  await expect(page.getByRole('article', { name: 'Order 1' })).toContainText('Clay cup')
}

test('from an empty folder to a paid test order', async ({ page, shop }) => {
  const { code, watch } = shop
  await makeAdmin(page, code)
  await changeSettings(page)
  await addProduct(page)
  await logOut(page)
  await expectOwnShop(page)
  watch.end('set-up')
  await buy(page)
  watch.end('order')
  const seconds = Math.round(watch.total())
  process.stdout.write(`From an empty folder to a paid order: ${seconds} s (${watch.inWords()})\n`)

  await page.getByRole('banner').getByText('Asha Rao').click()
  await logOut(page)
  await logIn(page, OWNER.email, OWNER.password)
  await expect(page).toHaveURL('/')
  await page.goto('/dashboard/admin/outbox')
  const confirmation = page.getByRole('row').filter({ hasText: 'Your order 1 at Tea House' })
  await expect(confirmation).toContainText(CUSTOMER)
})
