/** The page of a product with variants of the built site: one in the cache, whatever is chosen. */
import { brotliCompressSync, constants } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { testCachedShop } from '#tests/support/cached-shop.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { servePages } from '#tests/support/pages.ts'
import { seededRandom } from '#tests/support/seeded-random.ts'
import { option, type Variants, variantCallsOf, variantOf } from '#tests/support/variant-calls.ts'

const shop = testCachedShop({
  settings: { SHOP_URL: 'https://shop.example.com' },
  complete: servePages,
})
let token = ''
const calls = variantCallsOf(shop, () => token)

let shirt: Variants
const pathOf = ({ product }: Variants, variant?: { _id: string }) =>
  `/product/${product.slug}${variant ? `?variant=${variant._id}` : ''}`

/** Stock without a pattern, which would be compressed better. */
const random = seededRandom(25)
const chance = (below: number) => Math.floor(random.next() * below)

/** A product whose variants have prices and stock of their own. */
async function make(name: string, ...options: ReturnType<typeof option>[]) {
  const category = await addCategory(shop.db, name)
  const { id } = await addProduct(shop.db, { category, name, description: 'Of linen.' })
  const { variants } = await calls.make(id, options)
  const changed = variants.map(({ _id, updatedAt, price, quantity }, at) => ({
    _id,
    updatedAt,
    price: { from: price, to: 10 + (Math.floor(at / 5) % 10) },
    quantity: { from: quantity, to: chance(60) },
  }))
  await calls.save(id, { changed })
  return calls.load(id)
}

beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  shirt = await make('Shirt', option(1, 'Colour', 'Red', 'Blue'), option(2, 'Size', 'S', 'M'))
})

const keptPages = () => shop.stored().filter((key) => key.startsWith('/product/'))
const text = async (path: string) => (await shop.ask(path)).bytes.toString()

/** The value of the checked radio button of an option. */
const checkedIn = (html: string) =>
  [...html.matchAll(/<input[^>]*type="radio"[^>]*>/g)]
    .map(([input]) => input)
    .filter((input) => input.includes('checked'))
    .map((input) => /value="([^"]*)"/.exec(input)?.[1])

it('a chosen variant is on its page, and fills the cache with no copy', async () => {
  const blue = variantOf(shirt, 'Blue', 'M')
  await text(pathOf(shirt))
  await expect.poll(keptPages).toEqual([pathOf(shirt)])
  const html = await text(pathOf(shirt, blue))
  expect(new Set(checkedIn(html))).toEqual(new Set([blue._id]))
  for (const { _id } of shirt.variants) await text(`${pathOf(shirt)}?variant=${_id}`)
  for (const junk of ['x', crypto.randomUUID(), '']) await text(`${pathOf(shirt)}?variant=${junk}`)
  expect(keptPages()).toEqual([pathOf(shirt)])
})

it('a variant that is not there leads to the page of the product', async () => {
  // all cost the same
  const [listed] = shirt.variants
  const html = await text(`${pathOf(shirt)}?variant=${crypto.randomUUID()}`)
  expect(new Set(checkedIn(html))).toEqual(new Set([listed?._id]))
})

/** As the shop sends it. */
const brotli = (html: string) =>
  brotliCompressSync(html, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_LGWIN]: 18,
    },
  }).length

const words = (word: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${word} ${at}`)

it('500 variants add at most 12 KB to a page', async () => {
  const plain = await make('Plain shirt')
  const large = await make(
    'Large shirt',
    option(1, 'Colour', ...words('Red', 10)),
    option(2, 'Size', ...words('Size', 10)),
    option(3, 'Length', ...words('Long', 5)),
  )
  expect(large.variants).toHaveLength(500)
  const sizes = await Promise.all(
    [plain, large].map(async (one) => brotli(await text(pathOf(one)))),
  )
  const [without = 0, with500 = 0] = sizes
  expect((with500 - without) / 1024).toBeLessThan(12)
})
