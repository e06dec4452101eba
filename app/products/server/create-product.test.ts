import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ListedProduct, Product } from '#app/products/contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory } from '#tests/support/catalogue.ts'
import { fileOf, formOf } from '#tests/support/form.ts'
import { plain } from '#tests/support/pictures.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
let token = ''
let category = ''
beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  category = (await addCategory(shop.db, 'Cups')).id
})

type Saved = { success: true; message: string; products: ListedProduct }
type Fields = Parameters<typeof formOf>[0]

const cup = () => ({
  name: 'Clay cup',
  description: 'Holds tea.',
  price: 12.5,
  quantity: 10,
  category,
})
const create = (fields: Fields) =>
  shop.post<Saved>('/product/create-product', { token, body: formOf({ ...cup(), ...fields }) })
const created = async (fields: Fields = {}) => (await create(fields)).body.products
/** The product as a guest sees it. */
const shown = async (slug: string) =>
  (await shop.get<{ product: Product }>(`/product/get-product/${slug}`)).body.product
const total = async () => (await shop.get<{ total: number }>('/product/product-count')).body.total

describe('POST /product/create-product', () => {
  it('adds a product, which everybody sees at once', async () => {
    const before = await total()
    const { status, body } = await create({ name: ' Tea pot ', shipping: 1 })
    expect(status).toBe(201)
    expect(body).toEqual({
      success: true,
      message: 'Product Created Successfully',
      products: {
        _id: expect.any(String),
        name: 'Tea pot',
        slug: 'tea-pot',
        description: 'Holds tea.',
        price: 12.5,
        quantity: 10,
        category,
        shipping: 1,
        photo: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    })
    expect(await shown('tea-pot')).toMatchObject({ name: 'Tea pot', category: { _id: category } })
    expect(await total()).toBe(before + 1)
  })

  it('does without shipping and photo, in whatever way they are not sent', async () => {
    expect(await created()).toMatchObject({ shipping: 0, photo: null })
    expect(await created({ photo: '' })).toMatchObject({ photo: null })
    expect(await created({ photo: fileOf('', '') })).toMatchObject({ photo: null })
  })

  it('copies the photo of a product, unless one comes along', async () => {
    const photoIn = async (color: string) => fileOf(await plain(70, 50, color).jpeg().toBuffer())
    const bytesOf = async ({ _id }: ListedProduct) =>
      (await shop.get(`/product/product-photo/${_id}`)).bytes.toString('base64')
    const original = await created({ photo: await photoIn('#1f5c49') })
    const copy = await created({ copyOf: original._id })
    expect(copy.photo).toBe(original.photo)
    expect(await bytesOf(copy)).toBe(await bytesOf(original))
    const other = await created({ copyOf: original._id, photo: await photoIn('#b03a2e') })
    expect(other.photo).not.toBe(original.photo)
    const plainCup = await created()
    for (const copyOf of [plainCup._id, crypto.randomUUID()])
      expect(await created({ copyOf })).toMatchObject({ photo: null })
  })

  it('keeps the photo that comes along', async () => {
    const product = await created({ photo: fileOf(await plain(700, 500).jpeg().toBuffer()) })
    expect(product.photo).toMatch(/^[\w-]{12}$/)
    const { bytes, headers } = await shop.get(`/product/product-photo/${product._id}?w=320`)
    expect(headers['content-type']).toBe('image/jpeg')
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 320, format: 'jpeg' })
  })

  it.each(['茶壺', '🫖', '++'])('gives %j an address that works', async (name) => {
    const { slug } = await created({ name })
    expect(slug).toMatch(/^[a-z0-9-]+$/)
    expect(await shown(slug)).toMatchObject({ name })
  })

  it('gives products of one name an address each, also when they come at once', async () => {
    const products = await Promise.all(Array.from({ length: 25 }, () => created({ name: 'Bowl' })))
    const slugs = products.map(({ slug }) => slug)
    expect(new Set(slugs).size).toBe(25)
    expect(slugs).toEqual(expect.arrayContaining(['bowl', 'bowl-2', 'bowl-20']))
    for (const { _id, slug } of products) expect(await shown(slug)).toMatchObject({ _id })
  })

  it('takes text as text', async () => {
    const texts = {
      name: "<img src=x onerror=alert(1)> {{x}} %s '; drop table products; -- 🫖",
      description: '<script>alert(1)</script>\nsecond line\n\n\tthird 🫖',
    }
    const product = await created(texts)
    expect(product).toMatchObject(texts)
    expect(await shown(product.slug)).toMatchObject(texts)
  })

  it.each([
    ['price', '0', 0],
    ['price', '19.99', 19.99],
    ['price', ' 7 ', 7],
    ['price', '1e3', 1000],
    ['price', '12.500', 12.5],
    ['price', '1000000', 1_000_000],
    ['quantity', '0', 0],
    ['quantity', '1000000', 1_000_000],
    ['name', '🫖'.repeat(200), '🫖'.repeat(200)],
    ['description', 'é'.repeat(10_000), 'é'.repeat(10_000)],
    ['description', 'a\n'.repeat(4999).concat('ab'), 'a\n'.repeat(4999).concat('ab')],
    ['shipping', '1', 1],
  ])('takes %s %j', async (field, value, kept) => {
    const product = await created({ [field]: value })
    expect(product).toMatchObject({ [field]: kept })
    expect(await shown(product.slug)).toMatchObject({ [field]: kept })
  })

  const numbers = [
    '',
    ' ',
    'x',
    'NaN',
    'Infinity',
    '-Infinity',
    '1e309',
    '-1',
    '0x10',
    '1,5',
    '1 2',
  ]
  const texts = ['', '   ', '\u00a0\u3000', '\u200b', '\u0085', 'a\0b']
  it.each([
    ['price', [...numbers, '12.345', '0.001', '1e-7', '1000000.01', '1e7', 'true', 'null']],
    ['quantity', [...numbers, '1.5', '1000001', '99999999999999999999']],
    ['shipping', [...numbers, '2', '0.5', 'yes', 'undefined']],
    ['name', [...texts, 'x'.repeat(201), 'x'.repeat(10_000)]],
    ['description', [...texts, 'x'.repeat(10_001)]],
    ['category', ['', ' ', 'x', '0197f9a0', 'undefined']],
    ['photo', ['undefined', 'x']],
  ])('refuses a wrong %s with a sentence that names it', async (field, values) => {
    const before = await total()
    for (const value of values) {
      const reply = await create({ [field]: value })
      expect(reply, JSON.stringify(value)).toMatchObject({
        status: 400,
        body: {
          success: false,
          code: 'invalid',
          message: expect.stringMatching(`^${field} .*\\.$`),
        },
      })
    }
    expect(await total()).toBe(before)
  })

  it.each(['name', 'description', 'price', 'quantity', 'category'])(
    'refuses to do without %s',
    async (field) => {
      expect(await create({ [field]: undefined })).toMatchObject({
        status: 400,
        body: { code: 'invalid', message: `${field} is required.` },
      })
    },
  )

  it('refuses a category that there is not, or no longer', async () => {
    const gone = await addCategory(shop.db, 'Gone')
    await shop.delete(`/category/delete-category/${gone.id}`, { token })
    for (const id of [gone.id, '0197f9a0-0000-7000-8000-000000000000']) {
      expect(await create({ category: id, name: 'Orphan' })).toMatchObject({
        status: 400,
        body: { code: 'invalid', message: expect.stringContaining('category') },
      })
    }
    // the slug that was claimed for it is free again
    expect(await created({ name: 'Orphan' })).toMatchObject({ slug: 'orphan' })
  })
})
