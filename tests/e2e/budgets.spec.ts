/** The budget of a first visit: bytes, requests, and layout shift. */
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { userAdminCalls } from '#app/accounts/admin-contract.ts'
import { categoryAdminCalls } from '#app/categories/admin-contract.ts'
import { couponAdminCalls } from '#app/coupons/admin-contract.ts'
import { orderAdminCalls } from '#app/orders/admin-contract.ts'
import { productAdminCalls, productCsvCalls } from '#app/products/admin-contract.ts'
import { productCalls } from '#app/products/contract.ts'
import { shippingAdminCalls } from '#app/shipping/admin-contract.ts'
import { BUDGET } from '#bench/visit/budget.ts'
import { expect, test } from '#tests/support/journey.ts'

const KB = 1024
const KINDS = ['script', 'stylesheet', 'font']
const { vendor, own, siteMap, styles: STYLES_KB } = BUDGET.sizeKb
const SCRIPTS_KB = vendor + own + siteMap

/**
 * The scripts, styles and fonts that the page loads until it is idle, by kind, with sizes as sent
 * and uncompressed.
 */
async function fetched(page: Page, path: string) {
  const answers: { kind: string; url: string; sent: number; bytes: Buffer }[] = []
  const pending: Promise<unknown>[] = []
  page.on('requestfinished', (request) => {
    const kind = request.resourceType()
    if (!KINDS.includes(kind)) return
    const read = async () => {
      const { responseBodySize: sent } = await request.sizes()
      const bytes = (await (await request.response())?.body()) ?? Buffer.alloc(0)
      answers.push({ kind, url: request.url(), sent, bytes })
    }
    pending.push(read())
  })
  await page.goto(path, { waitUntil: 'networkidle' })
  await Promise.all(pending)
  return (kind: string) => answers.filter((answer) => answer.kind === kind)
}

const zipped = (answers: { bytes: Buffer }[]) =>
  answers.reduce((sum, { bytes }) => sum + gzipSync(bytes).length, 0) / KB
const sent = (answers: { sent: number }[]) => answers.reduce((sum, one) => sum + one.sent, 0) / KB

test(
  'the home page sends few scripts and little style, and nothing of the back office',
  {
    tag: '@journey',
  },
  async ({ page, request }, { annotations }) => {
    const html = await (await request.get('/')).text()
    const answers = await fetched(page, '/')
    for (const [kind, maxKb] of [
      ['script', SCRIPTS_KB],
      ['stylesheet', STYLES_KB],
    ] as const) {
      const found = answers(kind)
      const size = `${sent(found).toFixed(1)} KB sent, ${zipped(found).toFixed(1)} KB gzip`
      annotations.push({ type: kind, description: size })
      expect(found.length, kind).toBeGreaterThan(0)
      expect(zipped(found), size).toBeLessThanOrEqual(maxKb)
      expect(sent(found), size).toBeLessThanOrEqual(maxKb)
    }
    const addresses = answers('script').map(({ url }) => new URL(url).pathname)
    expect(
      addresses.filter((path) => !html.includes(path)),
      'scripts that the HTML does not ask for',
    ).toEqual([])

    const calls = Object.values({
      ...userAdminCalls,
      ...categoryAdminCalls,
      ...couponAdminCalls,
      ...orderAdminCalls,
      ...productAdminCalls,
      ...productCsvCalls,
      ...shippingAdminCalls,
    })
    const scripts = answers('script')
      .map(({ bytes }) => bytes.toString())
      .join('\n')
    expect(scripts, 'what it does send').toContain(productCalls.listProducts.path)
    expect(calls.filter(({ path }) => scripts.includes(path))).toEqual([])
  },
)

test('pages use only the two preloaded fonts', async ({ page, request }) => {
  // other journeys sell products with long names on the home page
  const path = '/about'
  const html = await (await request.get(path)).text()
  const fonts = (await fetched(page, path))('font').map(({ url }) => new URL(url).pathname)
  expect(fonts).toHaveLength(2)
  expect(fonts.filter((font) => !html.includes(font))).toEqual([])
})

test('pages load and write prices without a formatter, and load no routes of the back office', async ({
  page,
  call,
  address,
}) => {
  const { products } = await call(productCalls.listProducts, { params: { page: 1 } })
  const slug = products[0]?.slug ?? ''
  const { product } = await call(productCalls.getProduct, { params: { slug } })
  const cart = { name: 'cart', value: JSON.stringify(products.slice(0, 2)) }
  await page
    .context()
    .setStorageState({ cookies: [], origins: [{ origin: address, localStorage: [cart] }] })
  await page.addInitScript(() => {
    const made: string[] = []
    Reflect.set(window, 'formatters', made)
    for (const name of Object.getOwnPropertyNames(Intl)) {
      const formatter = Reflect.get(Intl, name)
      if (typeof formatter !== 'function' || !formatter.prototype) continue
      const counted = new Proxy(formatter, {
        construct(target, parameters) {
          made.push(name)
          return Reflect.construct(target, parameters)
        },
      })
      Reflect.set(Intl, name, counted)
    }
  })
  for (const path of [
    '/',
    `/category/${product.category.slug}`,
    `/product/${slug}`,
    '/search?q=cup',
    '/cart',
  ]) {
    await page.goto(path, { waitUntil: 'networkidle' })
    await expect(page.getByRole('main')).toContainText(/\d\.\d\d/)
    const found = await page.evaluate(() => ({
      formatters: Reflect.get(window, 'formatters'),
      routes: Object.keys(window.__reactRouterManifest.routes).filter((id) =>
        /admin-area/.test(id),
      ),
    }))
    expect(found, path).toEqual({ formatters: [], routes: [] })
  }
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
    // each element that moved, from where and to where
    const shifts = await page.evaluate(
      () =>
        new Promise<string[]>((resolve) => {
          const moved: string[] = []
          const textOf = ({ x, y, width, height }: DOMRectReadOnly) =>
            `${x},${y} ${width}×${height}`
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries())
              for (const { node, previousRect, currentRect } of Reflect.get(entry, 'sources') ?? [])
                moved.push(`${node?.outerHTML}: ${textOf(previousRect)} to ${textOf(currentRect)}`)
          }).observe({ type: 'layout-shift', buffered: true })
          setTimeout(() => resolve(moved), 500)
        }),
    )
    expect(shifts, path).toEqual([])
  }
})
