/** The budget of a first visit: bytes, requests, and layout shift. */
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { userAdminCalls } from '#app/accounts/admin-contract.ts'
import { categoryAdminCalls } from '#app/categories/admin-contract.ts'
import { orderAdminCalls, orderCsvCalls } from '#app/orders/admin-contract.ts'
import { productAdminCalls, productCsvCalls } from '#app/products/admin-contract.ts'
import { productCalls } from '#app/products/contract.ts'
import { BUDGET } from '#bench/visit/budget.ts'
import { expect, test } from '#tests/support/journey.ts'

const KB = 1024
const { scripts: SCRIPTS_KB, styles: STYLES_KB } = BUDGET.sizeKb

/**
 * The resources of a kind that the page loads until it is idle, with sizes as sent and
 * uncompressed.
 */
async function fetched(page: Page, kind: 'script' | 'stylesheet' | 'font', path = '/') {
  const answers: { url: string; sent: number; bytes: Buffer }[] = []
  const pending: Promise<unknown>[] = []
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== kind) return
    const read = async () => {
      const { responseBodySize: sent } = await request.sizes()
      const bytes = (await (await request.response())?.body()) ?? Buffer.alloc(0)
      answers.push({ url: request.url(), sent, bytes })
    }
    pending.push(read())
  })
  await page.goto(path, { waitUntil: 'networkidle' })
  await Promise.all(pending)
  return answers
}

const zipped = (answers: { bytes: Buffer }[]) =>
  answers.reduce((sum, { bytes }) => sum + gzipSync(bytes).length, 0) / KB
const sent = (answers: { sent: number }[]) => answers.reduce((sum, one) => sum + one.sent, 0) / KB

test('the home page sends few scripts', { tag: '@journey' }, async ({ page }, { annotations }) => {
  const scripts = await fetched(page, 'script')
  const size = `${sent(scripts).toFixed(1)} KB sent, ${zipped(scripts).toFixed(1)} KB gzip`
  annotations.push({ type: 'scripts', description: size })
  expect(scripts.length).toBeGreaterThan(0)
  expect(zipped(scripts), size).toBeLessThanOrEqual(SCRIPTS_KB)
  expect(sent(scripts), size).toBeLessThanOrEqual(SCRIPTS_KB)
})

test('the home page sends nothing of the back office', { tag: '@journey' }, async ({ page }) => {
  const calls = Object.values({
    ...userAdminCalls,
    ...categoryAdminCalls,
    ...orderAdminCalls,
    ...orderCsvCalls,
    ...productAdminCalls,
    ...productCsvCalls,
  })
  const scripts = (await fetched(page, 'script')).map(({ bytes }) => bytes.toString()).join('\n')
  expect(scripts, 'what it does send').toContain(productCalls.listProducts.path)
  expect(calls.filter(({ path }) => scripts.includes(path))).toEqual([])
})

test('the home page sends little style', { tag: '@journey' }, async ({ page }, { annotations }) => {
  const styles = await fetched(page, 'stylesheet')
  const size = `${sent(styles).toFixed(1)} KB sent, ${zipped(styles).toFixed(1)} KB gzip`
  annotations.push({ type: 'styles', description: size })
  expect(styles.length).toBeGreaterThan(0)
  expect(zipped(styles), size).toBeLessThanOrEqual(STYLES_KB)
  expect(sent(styles), size).toBeLessThanOrEqual(STYLES_KB)
})

test('pages use only the two preloaded fonts', async ({ page, request }) => {
  // other journeys sell products with long names here
  const path = '/about'
  const html = await (await request.get(path)).text()
  const fonts = (await fetched(page, 'font', path)).map(({ url }) => new URL(url).pathname)
  expect(fonts).toHaveLength(2)
  expect(fonts.filter((path) => !html.includes(path))).toEqual([])
})

test('every script is asked for by the HTML itself', async ({ page, request }) => {
  const html = await (await request.get('/')).text()
  const scripts = await fetched(page, 'script')
  const late = scripts
    .map(({ url }) => new URL(url).pathname)
    .filter((path) => !html.includes(path))
  expect(late).toEqual([])
})

test('nothing jumps when session and cart come back', { tag: ['@journey', '@phone'] }, async ({
  page,
  call,
  address,
  signedIn,
}) => {
  const { products } = await call(productCalls.listProducts, { params: { page: 1 } })
  const { user, token } = signedIn
  const stored = { auth: { user, token }, cart: products.slice(0, 3) }
  const localStorage = Object.entries(stored).map(([name, value]) => ({
    name,
    value: JSON.stringify(value),
  }))
  await page
    .context()
    .setStorageState({ cookies: [], origins: [{ origin: address, localStorage }] })
  for (const path of ['/', '/cart', `/product/${encodeURIComponent(products[0]?.slug ?? '')}`]) {
    await page.goto(path, { waitUntil: 'networkidle' })
    await expect(page.getByRole('navigation', { name: 'Main' })).toContainText('3')
    const shifts = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += Number(Reflect.get(entry, 'value'))
          }).observe({ type: 'layout-shift', buffered: true })
          setTimeout(() => resolve(sum), 500)
        }),
    )
    expect(shifts, path).toBe(0)
  }
})
