import { beforeAll, expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { attributeCallsOf } from '#tests/support/attribute-calls.ts'
import { addCategory, addPhoto, addProduct } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'
import { errorsIn, type Thing } from '#tests/support/structured-data.ts'
import { option, variantCallsOf } from '#tests/support/variant-calls.ts'
import { parseXml } from '#tests/support/xml.ts'

const shop = testShop({ SHOP_URL: 'https://shop.example.com' })
let token = ''
const attributes = attributeCallsOf(shop, () => token)
const variants = variantCallsOf(shop, () => token)

beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
})

/** A product with a photo, and with the values of attributes. */
async function addDescribed(name: string, values: Record<string, string>) {
  const product = await addProduct(shop.db, { category: await addCategory(shop.db, name), name })
  await addPhoto(shop.db, product)
  await attributes.describeAs(product, values)
  return product
}

const described = async ({ id }: { id: string }) =>
  (await shop.get<{ product: Thing }>(`/seo/structured-data/${id}`)).body.product

it('the attributes Brand and MPN are the brand of a product and the number of its manufacturer', async () => {
  const brand = await attributes.choice('BRAND', 'Haat & Sons')
  const values = { [brand._id]: brand.choices[0]?._id ?? '' }
  const mpn = await attributes.added({ name: 'MPN' })
  const cup = await addDescribed('Cup', {})
  const plate = await addDescribed('Plate', { [mpn._id]: 'KP-0815' })
  const shirt = await addDescribed('Shirt', values)
  const made = await variants.make(shirt.id, [option(1, 'Size', 'S', 'M')])
  const [first] = made.variants
  if (!first) throw new Error('There is no variant.')
  const { _id, updatedAt } = first
  await variants.save(shirt.id, {
    changed: [{ _id, updatedAt, sku: { from: null, to: 'SH-S' } }],
  })

  const { body } = await shop.app.inject({ url: '/product-feed.xml' })
  const items: Record<string, unknown>[] = parseXml(body).rss.channel.item
  const NAMES = ['g:title', 'g:brand', 'g:mpn', 'g:identifier_exists']
  // a SKU is the shop's own number
  expect(items.map((item) => NAMES.map((name) => item[name])).sort()).toEqual([
    ['Cup', undefined, undefined, 'no'],
    ['Plate', undefined, 'KP-0815', undefined],
    ['Shirt – M', 'Haat & Sons', undefined, undefined],
    ['Shirt – S', 'Haat & Sons', undefined, undefined],
  ])

  expect(await described(cup)).not.toHaveProperty('brand')
  expect(await described(plate)).toMatchObject({ mpn: 'KP-0815' })
  const group = await described(shirt)
  expect(group).toMatchObject({ brand: { '@type': 'Brand', name: 'Haat & Sons' } })
  expect(await errorsIn([group])).toEqual([])
  await attributes.change(brand, { name: 'Maker' })
  expect(await described(shirt)).not.toHaveProperty('brand')
})
