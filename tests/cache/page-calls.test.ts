/** The calls of pages, answered from the cache. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addCategory as createCategory } from '#app/categories/server/service.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { NO_SETTINGS } from '#app/shared/model/shop-settings.ts'
import { SHOP } from '#app/shared/server/actor/actor.ts'
import type { OpenDatabase } from '#db/connect.ts'
import { builtSite, serveSite } from '#server/site.ts'
import { type CachedShop, cachedShopOn } from '../support/cached-shop.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'
import { openTestDatabase } from '../support/database.ts'

const CURRENCIES = { currencyDisplay: 'USD', currencyCharge: 'INR' }

let opened: OpenDatabase
let shop: CachedShop

beforeAll(async () => {
  opened = await openTestDatabase()
  const { db } = opened
  const category = await addCategory(db, 'Kitchen')
  await addProduct(db, { category, name: 'Cup' })
  shop = await cachedShopOn(db, {}, (app) =>
    serveSite(app, {
      load: builtSite,
      settings: { ...NO_SETTINGS, ...CURRENCIES, payments: 'test' },
      policy: () => "default-src 'self'",
    }),
  )
})
afterAll(async () => {
  await shop?.close()
  await opened?.close()
})

const htmlOf = async (path: string, headers = {}) =>
  (await shop.ask(path, { headers })).bytes.toString()

/** The answers to calls of pages that are kept. */
const answers = () => [...(shop.app.pages?.values.values() ?? [])]

it('renders a page from the kept answers to its calls', async () => {
  await shop.ask('/')
  const kept = answers()
  expect(kept.map(({ key }) => key)).toContain(`${API_PREFIX}/product/products`)
  // a request with a token bypasses the cache of pages, so the page is rendered again
  expect(await htmlOf('/', { authorization: 'x' })).toContain('Cup')
  expect(answers()).toEqual(expect.arrayContaining(kept))
})

it('renders a page with what has changed since its answers were stored', async () => {
  await htmlOf('/contact')
  await createCategory(opened.db, SHOP, 'Garden')
  await expect.poll(() => htmlOf('/contact')).toContain('Garden')
  expect(await htmlOf('/policy')).toContain('Garden')
})

it('does not store the answer to a call that fails', async () => {
  expect((await shop.ask('/product/none')).status).toBe(404)
  expect(answers().filter(({ key }) => key.endsWith('/none'))).toEqual([])
})
