import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ListedProduct, Product } from '#app/products/contract.ts'
import { addCategory } from '#tests/support/catalogue.ts'
import { fileOf, formOf } from '#tests/support/form.ts'
import { addPerson } from '#tests/support/people.ts'
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
/** What a guest sees. */
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
        ...{ name: 'Tea pot', slug: 'tea-pot', description: 'Holds tea.' },
        ...{ price: 12.5, quantity: 10, category, shipping: 1, photo: null },
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

  it('keeps the photo that comes along', async () => {
    const red = { width: 700, height: 500, channels: 3 as const, background: '#f00' }
    const photo = await sharp({ create: red }).jpeg().toBuffer()
    const product = await created({ photo: fileOf(photo) })
    expect(product.photo).toMatch(/^[\w-]{12}$/)
    const { bytes, headers } = await shop.get(`/product/product-photo/${product._id}?w=320`)
    expect(headers['content-type']).toBe('image/jpeg')
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 320, format: 'jpeg' })
  })
})
