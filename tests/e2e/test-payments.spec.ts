import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { productCalls } from '#app/products/contract.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { expect, test } from '#tests/support/journey.ts'
import { buy } from '#tests/support/purchase.ts'
import { startShopProcess } from '#tests/support/shop-process.ts'

const WORDS = 'Test payments: no money is taken.'
const BADGE = 'Test: no money was taken'

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

test('payments that are tests are announced on every page', async ({ page, admin: _ }) => {
  const layouts = ['/', '/no-such-page', '/dashboard/user']
  for (const path of [...layouts, '/cart', '/login', '/about']) {
    const bytes = await (await page.request.get(path)).text()
    expect(bytes, path).toContain(WORDS)
  }
  // the menu of the back office is rendered in the browser
  for (const path of [...layouts, '/dashboard/admin']) {
    await page.goto(path)
    await expect(page.getByRole('complementary', { name: 'Test payments' })).toHaveText(WORDS)
  }
  await page.goto('/dashboard/admin/settings/payments')
  await expect(
    page.getByText('No provider is set up: payments go to the sandbox, which takes no money.'),
  ).toBeVisible()
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/about')
  await expect(page.getByText(WORDS)).toBeVisible()
  expect(await widthOf(page)).toBe(320)
})

test('an order whose payment was a test says so to its buyer', { tag: '@journey' }, async ({
  page,
  signedIn,
  call,
}) => {
  const { products } = await call(productCalls.listProducts, { params: { page: 1 } })
  await buy(signedIn, products.filter(({ quantity }) => quantity > 0).slice(-1))
  await page.goto('/dashboard/user/orders')
  await expect(page.getByRole('article')).toContainText(BADGE)
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await widthOf(page)).toBe(320)
})

test('an order whose payment was a test says so to the admin', async ({
  page,
  admin,
  customer,
}) => {
  const { _id } = await buy(customer, [await createProduct(admin, named('Cup'))])
  await page.goto(`/dashboard/admin/orders/${_id}`)
  await expect(page.getByRole('main')).toContainText(BADGE)
  await page.goto('/dashboard/admin')
  const latest = page.getByRole('region', { name: 'Latest orders' })
  await expect(latest.getByText(/ · test$/).first()).toBeVisible()
})

test('a shop that cannot take payments says so in place of the way to pay', async ({
  page,
  context,
  customer: { user, token },
  call,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'haat-closed-'))
  const shop = await startShopProcess({ DATA_DIR: folder, DEMO: 'off' })
  try {
    const { products } = await call(productCalls.listProducts, { params: { page: 1 } })
    const entries = { auth: { user, token }, cart: products.slice(0, 1) }
    const localStorage = Object.entries(entries).map(([name, value]) => ({
      name,
      value: JSON.stringify(value),
    }))
    await context.setStorageState({
      cookies: [],
      origins: [{ origin: shop.address, localStorage }],
    })
    await page.goto(`${shop.address}/cart`)
    const summary = page.getByRole('complementary', { name: 'Summary' })
    await expect(summary).toContainText('This shop cannot take payments yet.')
    await expect(summary.getByRole('button', { name: 'Update Address' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Make Payment' })).toBeHidden()
    await expect(page.getByText(WORDS)).toBeHidden()
    // what the page still loads must not find the shop stopped
    await page.waitForLoadState('networkidle')
    await page.close()
  } finally {
    await shop.stop()
    await rm(folder, { recursive: true })
  }
})
