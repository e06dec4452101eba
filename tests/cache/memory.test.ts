/** Memory limit and eviction of the cache. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { testCachedShop } from '#tests/support/cached-shop.ts'
import { cachedShopOn } from '../support/cached-shop.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'

const MEBIBYTE = 2 ** 20

const shop = testCachedShop({
  settings: { CACHE_MB: '1' },
  async fill(db) {
    const category = await addCategory(db, 'Kitchen')
    const description = 'Holds tea. '.repeat(150)
    for (let n = 0; n < 30; n++) await addProduct(db, { category, description })
  },
})

it('holds no more than it may, of what was wanted last', async () => {
  const headers = { 'accept-encoding': 'br' }
  const search = (n: number) => `${API_PREFIX}/product/search/tea%20${n}`
  for (let n = 0; n < 200; n++) {
    await shop.ask(search(n), { headers })
    await shop.ask(search(0), { headers })
    expect(shop.app.pages?.bytes()).toBeLessThanOrEqual(MEBIBYTE)
  }
  expect(shop.app.pages?.bytes()).toBeGreaterThan(MEBIBYTE / 2)
  const stored = shop.stored()
  expect(stored).toContain(search(0))
  expect(stored).toContain(search(199))
  expect(stored).not.toContain(search(1))
})

it('keeps an answer in the encodings that were requested, and no longer as plain text', async () => {
  const large = await cachedShopOn(shop.db)
  const path = `${API_PREFIX}/product/search/tea`
  const held = () => large.app.pages?.bytes() ?? 0
  const ask = (encoding: string) => large.ask(path, { headers: { 'accept-encoding': encoding } })
  const before = held()
  const { bytes: plain } = await ask('identity')
  expect(held()).toBeGreaterThanOrEqual(before + plain.length)
  const { bytes: zipped } = await ask('gzip')
  expect(held()).toBeGreaterThanOrEqual(before + zipped.length)
  expect(held()).toBeLessThan(before + plain.length)
  const withGzip = held()
  const { bytes: brotli } = await ask('br')
  expect(held()).toBeGreaterThanOrEqual(withGzip + brotli.length)
  expect((await ask('identity')).bytes.equals(plain)).toBe(true)
  expect(gunzipSync((await ask('gzip')).bytes).equals(plain)).toBe(true)
  expect(brotliDecompressSync((await ask('br')).bytes).equals(plain)).toBe(true)
  await large.close()
})

it('can be done without', () => {
  expect(shop.twin.app.pages).toBeUndefined()
})
