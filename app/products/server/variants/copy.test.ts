import { beforeAll, expect, it } from 'vitest'
import type { DetailedProduct, ListedProduct, ShownPhoto } from '#app/products/contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { formOf } from '#tests/support/form.ts'
import { plain } from '#tests/support/pictures.ts'
import { testShop } from '#tests/support/shop.ts'
import { option, type Variants, variantCallsOf, variantOf } from '#tests/support/variant-calls.ts'

const shop = testShop()
let token = ''
let category = { id: '' }
beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  category = await addCategory(shop.db, 'Shirts')
})
const { load, make, save } = variantCallsOf(shop, () => token)

const picture = async (width: number) =>
  new File([new Uint8Array(await plain(width, 30).png().toBuffer())], 'photo.png')
const shown = async (slug: string) =>
  (await shop.get<{ product: DetailedProduct }>(`/product/get-product/${slug}`)).body.product
const bytesOf = async (id: string) =>
  (await shop.get(`/product/product-photo/${id}?w=1280`)).bytes.toString('base64')

/** Copies a product, at a price of 12.50 with five pieces, by the fields of its form. */
async function copyOf(id: string, fields: Parameters<typeof formOf>[0] = {}) {
  const form = {
    name: 'Copy',
    description: 'Soft.',
    price: 12.5,
    quantity: 5,
    category: category.id,
  }
  const { status, body } = await shop.post<{ products: ListedProduct }>('/product/create-product', {
    token,
    body: formOf({ ...form, copyOf: id, ...fields }),
  })
  expect(status).toBe(201)
  return body.products
}

/** A shirt in two colours and two sizes, with prices, codes, and three photos of which blue has the third. */
async function shirt() {
  const { id, slug } = await addProduct(shop.db, { category, name: 'Shirt', price: 20 })
  const made = await make(id, [option(1, 'Colour', 'Red', 'Blue'), option(3, 'Size', 'S', 'M')])
  const change = (variant: Variants['variants'][number], cells: object) => ({
    _id: variant._id,
    updatedAt: variant.updatedAt,
    ...cells,
  })
  const [first, blue] = [variantOf(made, 'Red', 'S'), variantOf(made, 'Blue', 'M')]
  await save(id, {
    changed: [
      change(first, { sku: { from: null, to: 'R-S' }, compareAt: { from: null, to: 25 } }),
      change(blue, {
        price: { from: 12.5, to: 30 },
        compareAt: { from: null, to: 35 },
        weightGrams: { from: null, to: 250 },
        barcode: { from: null, to: '4006381333931' },
      }),
    ],
  })
  const path = `/product/photos/${id}`
  for (const width of [40, 50, 60])
    await shop.post(path, { token, body: formOf({ photo: await picture(width) }) })
  const { photos = [] } = await shown(slug)
  const from = photos.map(({ _id }) => ({ _id, alt: '' }))
  const to = from.map(({ _id }, at) => ({ _id, alt: `Side ${at}` }))
  const shownFor = { photo: to[2]?._id, variants: [blue._id] }
  await shop.put<{ photos: ShownPhoto[] }>(path, { token, body: { from, to, shownFor } })
  return { id, slug }
}

/** What a copy has in common with its product. */
const commonOf = ({ options, variants }: Variants) => ({
  options: options.map(({ slot, name, values }) => [slot, name, values.map((one) => one.name)]),
  variants: variants.map(({ values, price, compareAt, weightGrams }) => ({
    values: values.map(
      (id) => options.flatMap((one) => one.values).find(({ _id }) => _id === id)?.name ?? null,
    ),
    price,
    compareAt,
    weightGrams,
  })),
})

it('a product is copied with options, variants without stock and codes, and photos', async () => {
  const { id, slug } = await shirt()
  const before = [await load(id), await shown(slug)]
  const copy = await copyOf(id)
  const [original, copied] = [await load(id), await load(copy._id)]
  expect(commonOf(copied)).toEqual(commonOf(original))
  expect(copied.variants.map(({ quantity, sku, barcode }) => [quantity, sku, barcode])).toEqual([
    [0, null, null],
    // the listed one
    [5, null, null],
    [0, null, null],
    [0, null, null],
  ])
  const [{ photos = [] }, { photos: others = [] }] = [await shown(slug), await shown(copy.slug)]
  expect(others.map(({ alt }) => alt)).toEqual(['Side 0', 'Side 1', 'Side 2'])
  for (const [at, { _id }] of others.entries())
    expect(await bytesOf(_id)).toBe(await bytesOf(photos[at]?._id ?? ''))
  const blue = variantOf(copied, 'Blue', 'M')._id
  expect(await bytesOf(blue)).toBe(await bytesOf(others[2]?._id ?? ''))
  expect([await load(id), await shown(slug)]).toEqual(before)
  // nothing of it is the original's
  await shop.delete(`/product/delete-product/${id}`, { token })
  expect(commonOf(await load(copy._id))).toEqual(commonOf(original))
  expect(await bytesOf(others[1]?._id ?? '')).not.toBe(await bytesOf(copy._id))
})

it('a copy has the photo that comes along as its first one', async () => {
  const { id } = await shirt()
  const { slug } = await copyOf(id, { photo: await picture(70), price: 26 })
  const { photos = [], photo, compareAt } = await shown(slug)
  expect(photos.map(({ alt = '' }) => alt)).toEqual(['', 'Side 1', 'Side 2'])
  expect(photos[0]?.photo).toBe(photo)
  // the price before would be below the price
  expect(compareAt).toBeUndefined()
})

it('a copy that is made while a sale runs has the regular prices', async () => {
  const { id } = await addProduct(shop.db, { category, name: 'Shirt', price: 20 })
  await make(id, [option(1, 'Size', 'S', 'M')], { price: 20 })
  const [from, until] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000))
  const sale = { sale_price_minor: 1500, sale_from: from, sale_until: until }
  await shop.db.updateTable('variants').set(sale).where('product_id', '=', id).execute()
  const { variants } = await load((await copyOf(id, { price: 20 }))._id)
  expect(variants.map(({ price, compareAt }) => [price, compareAt])).toEqual([
    [20, null],
    [20, null],
  ])
})
