/** Names of any length and script fit every page of the storefront, from a window of 320 px up. */
import type { Page } from '@playwright/test'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { createCategory } from '#tests/support/back-office.ts'
import { expect, keepSession, register, type Visitor } from '#tests/support/journey.ts'
import { test as base, SANDBOX } from '#tests/support/own-shop.ts'
import { buy } from '#tests/support/purchase.ts'

const test = base.extend({
  environment: async ({ browserName: _ }, use, testInfo) => {
    // each starts a shop
    testInfo.slow()
    await use(SANDBOX)
  },
})

const NAMES = {
  '40 characters': "Marta's Handmade Ceramics & Fine Pottery",
  'one word of 60': 'Donaudampfschifffahrtsgesellschaftskapitaenswitwenrentenamts',
  Arabic: 'متجر الخزف المصنوع يدويًا والأواني الفخارية',
  Hindi: 'हस्तनिर्मित चीनी मिट्टी के बर्तनों की दुकान',
}

const WIDTHS = [320, 390, 768, 1280]
/** The narrowest search field in which a word can be read, in pixels. */
const MIN_FIELD = 90

async function nameShop({ call }: Visitor, name: string) {
  const { revision, settings } = await call(settingsAdminCalls.getAllSettings)
  await call(settingsAdminCalls.saveSettings, {
    body: { revision, settings: { ...settings, name } },
  })
}

async function sell(admin: Visitor, name: string) {
  const category = await createCategory(admin, name)
  const facts = { name, description: name, price: 12_345.67, quantity: 9, shipping: 0 }
  const body = { ...facts, category: category._id }
  const { products: product } = await admin.call(productAdminCalls.createProduct, { body })
  return { category, product }
}

/** The page is as wide as the window at every width, and its search field can be used. */
async function expectFit(page: Page) {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    const found = await page.evaluate(() => ({
      page: document.documentElement.scrollWidth,
      field: document.querySelector('input[name=q]')?.getBoundingClientRect().width ?? 0,
    }))
    expect.soft(found.page, `${page.url()} at ${width}`).toBeLessThanOrEqual(width)
    expect.soft(found.field, `search field of ${page.url()} at ${width}`).toBeGreaterThan(MIN_FIELD)
  }
}

for (const [kind, name] of Object.entries(NAMES))
  test(`a name of ${kind} fits every page of the shop`, async ({
    page,
    context,
    address,
    admin,
  }) => {
    await nameShop(admin, name)
    const { category, product } = await sell(admin, name)
    const customer = await register(address, { name })
    await buy(customer, [product])
    const pages = [
      '/',
      '/categories',
      `/category/${category.slug}`,
      `/product/${product.slug}`,
      `/search?q=${encodeURIComponent(name)}`,
      '/contact',
      '/login',
    ]
    for (const path of pages) {
      await page.goto(path)
      await expectFit(page)
    }
    await expect(page.getByRole('banner').getByRole('link', { name, exact: true })).toBeVisible()
    await page.goto(`/product/${product.slug}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCSS(
      'direction',
      kind === 'Arabic' ? 'rtl' : 'ltr',
    )
    await page.getByRole('button', { name: 'ADD TO CART', exact: true }).click()
    await keepSession(context, address, customer)
    for (const path of ['/cart', '/dashboard/user', '/dashboard/user/orders']) {
      await page.goto(path)
      await expect(page.getByText(name).first()).toBeVisible()
      await expectFit(page)
    }
  })
