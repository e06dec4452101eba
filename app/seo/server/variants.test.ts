import { beforeAll, expect, it } from 'vitest'
import { photoUrl, type ShownPhoto } from '#app/products/contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { fileOf, formOf } from '#tests/support/form.ts'
import { plain } from '#tests/support/pictures.ts'
import { testShop } from '#tests/support/shop.ts'
import { errorsIn, type Thing } from '#tests/support/structured-data.ts'
import { option, type Variants, variantCallsOf, variantOf } from '#tests/support/variant-calls.ts'
import { parseXml } from '#tests/support/xml.ts'

const SHOP_URL = 'https://shop.example.com'
const shop = testShop({ SHOP_URL, CURRENCY_DISPLAY: 'USD', SHOP_NAME: 'Shirts & Co' })
let token = ''
const calls = variantCallsOf(shop, () => token)

/** A shirt of two colours and two sizes: of which the red one in M is reduced, and has its numbers. */
let shirt: Variants
let page: string

/** One of the shirt, then one of each colour. */
let photos: ShownPhoto[]
const COLOURS = ['Red', 'Blue'] as const

async function addPhotos(id: string): Promise<ShownPhoto[]> {
  const path = `/product/photos/${id}`
  let shown: ShownPhoto[] = []
  for (const width of [30, 40, 50]) {
    const body = formOf({ photo: fileOf(await plain(width, 30).png().toBuffer()) })
    shown = (await shop.post<{ photos: ShownPhoto[] }>(path, { token, body })).body.photos
  }
  const kept = shown.map(({ _id, alt = '' }) => ({ _id, alt }))
  for (const [at, colour] of COLOURS.entries()) {
    const variants = ['S', 'M'].map((size) => variantOf(shirt, colour, size)._id)
    const shownFor = { photo: shown[at + 1]?._id, variants }
    const { status } = await shop.put(path, { token, body: { from: kept, to: kept, shownFor } })
    expect(status).toBe(200)
  }
  return shown
}

beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  const category = await addCategory(shop.db, 'Shirts')
  const { id, slug } = await addProduct(shop.db, { category, name: 'Shirt', price: 19 })
  await calls.make(id, [option(1, 'Colour', 'Red', 'Blue'), option(2, 'Size', 'S', 'M')])
  const { _id, updatedAt } = variantOf(await calls.load(id), 'Red', 'M')
  const change = {
    compareAt: { from: null, to: 15.5 },
    quantity: { from: 10, to: 0 },
    sku: { from: null, to: 'SH-R-M' },
    barcode: { from: null, to: '4006381333931' },
  }
  await calls.save(id, { changed: [{ _id, updatedAt, ...change }] })
  shirt = await calls.load(id)
  photos = await addPhotos(id)
  page = `${SHOP_URL}/product/${slug}`
})

it('a product with options is described as a group, each variant with its offer', async () => {
  const { _id } = shirt.product
  const { body } = await shop.get<{ product: Thing }>(`/seo/structured-data/${_id}`)
  const { hasVariant, ...group } = body.product
  expect(group).toMatchObject({
    '@type': 'ProductGroup',
    name: 'Shirt',
    url: page,
    productGroupID: _id,
    variesBy: ['https://schema.org/color', 'https://schema.org/size'],
  })
  expect(group).not.toHaveProperty('offers')
  const variants = hasVariant as Thing[]
  expect(variants.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'Shirt – Red / S',
      'Shirt – Red / M',
      'Shirt – Blue / S',
      'Shirt – Blue / M',
    ]),
  )
  const red = variantOf(shirt, 'Red', 'M')
  expect(variants.find(({ sku }) => sku === 'SH-R-M')).toMatchObject({
    gtin: '4006381333931',
    color: 'Red',
    size: 'M',
    offers: {
      url: `${page}?variant=${red._id}`,
      price: '12.50',
      priceSpecification: { priceType: 'https://schema.org/StrikethroughPrice', price: '15.50' },
      availability: 'https://schema.org/OutOfStock',
    },
  })
  expect(await errorsIn(variants)).toEqual([])
})

it('the feed has an item of each variant, with its group, its numbers and its former price', async () => {
  const { body } = await shop.app.inject({ url: '/product-feed.xml' })
  const items: Record<string, unknown>[] = parseXml(body).rss.channel.item
  expect(items.map((item) => item['g:id']).sort()).toEqual(
    shirt.variants.map(({ _id }) => _id).sort(),
  )
  expect(new Set(items.map((item) => item['g:item_group_id']))).toEqual(
    new Set([shirt.product._id]),
  )
  const red = variantOf(shirt, 'Red', 'M')
  const reduced = items.find((item) => item['g:id'] === red._id)
  expect(reduced).toMatchObject({
    'g:title': 'Shirt – Red / M',
    'g:link': `${page}?variant=${red._id}`,
    'g:availability': 'out_of_stock',
    'g:price': '15.50 USD',
    'g:sale_price': '12.50 USD',
    'g:gtin': '4006381333931',
    'g:color': 'Red',
    'g:size': 'M',
  })
  expect(reduced).not.toHaveProperty('g:identifier_exists')
  const standard = items.find((item) => item['g:title'] === 'Shirt – Red / S')
  expect(standard).toMatchObject({ 'g:price': '19.00 USD', 'g:identifier_exists': 'no' })
  expect(standard).not.toHaveProperty('g:sale_price')
})

it('the feed and the structured data show the photo of each variant, and none of another one', async () => {
  const { _id } = shirt.product
  const { body: feed } = await shop.app.inject({ url: '/product-feed.xml' })
  const items: Record<string, unknown>[] = parseXml(feed).rss.channel.item
  const { body } = await shop.get<{ product: Thing }>(`/seo/structured-data/${_id}`)
  const described = body.product.hasVariant as Thing[]
  const [first, ...others] = photos
  for (const [at, colour] of COLOURS.entries()) {
    const photo = others[at]
    const own = `${SHOP_URL}${photoUrl({ _id: photo?._id ?? '', photo: photo?.photo ?? null }, 1280)}`
    const common = `${SHOP_URL}${photoUrl({ _id, photo: first?.photo ?? null }, 1280)}`
    const item = items.find((one) => one['g:id'] === variantOf(shirt, colour, 'S')._id)
    expect([item?.['g:image_link'], item?.['g:additional_image_link']]).toEqual([own, common])
    const one = described.find(({ name }) => name === `Shirt – ${colour} / S`)
    expect(one?.image).toEqual([own, common])
  }
})
