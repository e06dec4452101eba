/** Kept answers of the built site follow the attributes of products. */
import { beforeAll, expect, it } from 'vitest'
import { categoryPath } from '#app/categories/contract.ts'
import { productPath } from '#app/products/contract.ts'
import { refreshStaleFacets } from '#app/products/server/facets/facets.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { attributeCallsOf } from '#tests/support/attribute-calls.ts'
import { testCachedShop } from '#tests/support/cached-shop.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { servePages } from '#tests/support/pages.ts'

const shop = testCachedShop({
  settings: { SHOP_URL: 'https://shop.example.com' },
  complete: servePages,
})
let token = ''
const { choice, change, describeAs } = attributeCallsOf(shop, () => token)
const text = async (path: string) => (await shop.ask(path)).bytes.toString()

beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
})

it('a page and a list show a value, and its new name once the job has run', async () => {
  const category = await addCategory(shop.db, 'Stools')
  const stool = await addProduct(shop.db, { category, name: 'Stool' })
  const pages = [productPath(stool), categoryPath(category)]
  const shows = (word: string) =>
    expect.poll(async () => (await Promise.all(pages.map(text))).map((html) => html.includes(word)))
  await shows('Walnut').toEqual([false, false])
  const wood = await choice('Wood', 'Walnut')
  await describeAs(stool, { [wood._id]: wood.choices[0]?._id ?? '' })
  await shows('Walnut').toEqual([true, true])
  await expect.poll(() => pages.every((page) => shop.stored().includes(page))).toBe(true)
  await change(wood, { choices: [{ ...wood.choices[0], name: 'Teak' }] })
  await refreshStaleFacets(shop.db)
  await shows('Teak').toEqual([true, true])
  await shows('Walnut').toEqual([false, false])
})
