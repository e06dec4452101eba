/** Memory limit and eviction of the cache. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import type { OpenDatabase } from '#db/connect.ts'
import { type CachedShop, cachedShopOn } from '../support/cached-shop.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'
import { openTestDatabase } from '../support/database.ts'
import { shopOn } from '../support/shop.ts'

const MEBIBYTE = 2 ** 20

let opened: OpenDatabase
let shop: CachedShop

beforeAll(async () => {
  opened = await openTestDatabase()
  const category = await addCategory(opened.db, 'Kitchen')
  const description = 'Holds tea. '.repeat(150)
  for (let n = 0; n < 30; n++) await addProduct(opened.db, { category, description })
  shop = await cachedShopOn(opened.db, { CACHE_MB: '1' })
})
afterAll(async () => {
  await shop?.close()
  await opened?.close()
})

it('holds no more than it may, of what was wanted last', async () => {
  const headers = { 'accept-encoding': 'br' }
  const search = (n: number) => `${API_PREFIX}/product/search/tea%20${n}`
  for (let n = 0; n < 60; n++) {
    await shop.ask(search(n), { headers })
    await shop.ask(search(0), { headers })
    expect(shop.app.pages?.bytes()).toBeLessThanOrEqual(MEBIBYTE)
  }
  expect(shop.app.pages?.bytes()).toBeGreaterThan(MEBIBYTE / 2)
  const stored = shop.stored()
  expect(stored).toContain(search(0))
  expect(stored).toContain(search(59))
  expect(stored).not.toContain(search(1))
})

it('counts every form of an answer', async () => {
  const large = await cachedShopOn(opened.db)
  const path = `${API_PREFIX}/product/search/tea`
  const held = () => large.app.pages?.bytes() ?? 0
  await large.ask(path)
  const before = held()
  const zipped = await large.ask(path, { headers: { 'accept-encoding': 'gzip' } })
  expect(held()).toBeGreaterThanOrEqual(before + zipped.bytes.length)
  await large.close()
})

it('can be done without', async () => {
  const { app } = await shopOn(opened.db, { CACHE_MB: '0' })
  expect(app.pages).toBeUndefined()
  await app.close()
})
