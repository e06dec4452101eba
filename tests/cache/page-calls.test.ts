/** The calls of pages, answered from the cache. */
import { expect, it } from 'vitest'
import { addCategory as createCategory } from '#app/categories/server/service.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { testCachedShop } from '#tests/support/cached-shop.ts'
import { servePages } from '#tests/support/pages.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'

const shop = testCachedShop({
  complete: servePages,
  async fill(db) {
    await addProduct(db, { category: await addCategory(db, 'Kitchen'), name: 'Cup' })
  },
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
  await createCategory(shop.db, SHOP, 'Garden')
  await expect.poll(() => htmlOf('/contact')).toContain('Garden')
  expect(await htmlOf('/policy')).toContain('Garden')
})

it('does not store the answer to a call that fails', async () => {
  expect((await shop.ask('/product/none')).status).toBe(404)
  expect(answers().filter(({ key }) => key.endsWith('/none'))).toEqual([])
})
