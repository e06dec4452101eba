/** The pages of a category of the built site with chosen facets: those that can be made up fill no cache. */
import { beforeAll, expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { testCachedShop } from '#tests/support/cached-shop.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { servePages } from '#tests/support/pages.ts'
import { option, variantCallsOf } from '#tests/support/variant-calls.ts'

const shop = testCachedShop({
  settings: { SHOP_URL: 'https://shop.example.com' },
  complete: servePages,
})
let path = ''

beforeAll(async () => {
  const { token } = await addPerson(shop.db, { admin: true })
  const category = await addCategory(shop.db, 'Shirts')
  path = `/category/${category.slug}`
  const { id } = await addProduct(shop.db, { category, name: 'Shirt' })
  const options = [option(1, 'Colour', 'Red', 'Blue'), option(2, 'Size', 'XL', 'M', 'L')]
  await variantCallsOf(shop, () => token).make(id, options)
})

const pageOf = async (...keys: string[]) => {
  const query = new URLSearchParams(keys.map((key) => ['f', key]))
  return (await shop.ask(`${path}?${query}`)).bytes.toString()
}
const kept = () => shop.stored().filter((key) => key.startsWith('/category/'))

it('keeps one page of two facets, in whatever order, and none of more or of unknown ones', async () => {
  await pageOf('colour:red', 'size:m')
  await expect.poll(kept).toHaveLength(1)
  await pageOf('size:m', 'colour:red')
  for (const keys of [
    ['colour:red', 'colour:blue', 'size:m'],
    ['colour:pink'],
    ['colour:red', 'colour:no-1'],
    ['brand:x'],
  ])
    expect(await pageOf(...keys)).toContain('name="robots" content="noindex')
  expect(kept()).toHaveLength(1)
})

it('offers the facets without scripts, in the order of the options, and says what is chosen', async () => {
  const html = await pageOf('colour:red')
  const offered = [...html.matchAll(/<input[^>]*name="f"[^>]*>/g)].map(([input]) => ({
    key: /value="([^"]*)"/.exec(input)?.[1],
    isChosen: input.includes('checked'),
  }))
  expect(offered.map(({ key }) => key)).toEqual([
    ...['colour:red', 'colour:blue'],
    ...['size:xl', 'size:m', 'size:l'],
  ])
  expect(offered.filter(({ isChosen }) => isChosen).map(({ key }) => key)).toEqual(['colour:red'])
  expect(html).toContain('aria-label="Chosen"')
})
