/** A product and its variants are created and saved together: all of it or nothing. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ListedProduct } from '#app/products/contract.ts'
import type { NewVariant, VariantEdit } from '#app/products/variant-contract.ts'
import type { FailureBody } from '#app/shared/contract/failure.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory } from '#tests/support/catalogue.ts'
import { formOf } from '#tests/support/form.ts'
import { testShop } from '#tests/support/shop.ts'
import { combinations, option, variantCallsOf, variantOf } from '#tests/support/variant-calls.ts'

const shop = testShop()
let token = ''
let category = ''
beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  category = (await addCategory(shop.db, 'Clothes')).id
})

type Answer = { products: ListedProduct } & FailureBody
type Fields = Parameters<typeof formOf>[0]

const { load } = variantCallsOf(shop, () => token)
const shirt = () => ({ name: 'Shirt', description: 'Soft.', price: 20, quantity: 3, category })
const create = (variants: unknown, fields: Fields = {}) =>
  shop.post<Answer>('/product/create-product', {
    token,
    body: formOf({ ...shirt(), ...fields, variants: JSON.stringify(variants) }),
  })
const update = (id: string, variants: VariantEdit, fields: Fields = {}) =>
  shop.put<Answer>(`/product/update-product/${id}`, {
    token,
    body: formOf({ ...fields, variants: JSON.stringify(variants) }),
  })

/** All variants of these options, the first of them the cheapest. */
function begin(cells: Partial<NewVariant> = {}) {
  const options = [option(1, 'Size', 'S', 'M', 'L')]
  const added = combinations(options).map(
    (values, at): NewVariant => ({
      _id: randomUUID(),
      values,
      price: 20 + at,
      compareAt: null,
      quantity: at,
      weightGrams: 150,
      sku: null,
      barcode: null,
      ...cells,
    }),
  )
  return { options: { from: [], to: options }, added }
}

/** A new shirt of three sizes. */
async function made() {
  const { body } = await create(begin())
  return { product: body.products, variants: await load(body.products._id) }
}

describe('a product', () => {
  it('begins with its options and variants, and is listed by the cheapest that can be bought', async () => {
    const { status, body } = await create(begin())
    expect(status).toBe(201)
    // S is sold out
    expect(body.products).toMatchObject({ price: 21, quantity: 1 })
    const { options, variants } = await load(body.products._id)
    expect(options).toMatchObject([{ name: 'Size' }])
    expect(variants.map(({ price, quantity }) => [price, quantity])).toEqual([
      [20, 0],
      [21, 1],
      [22, 2],
    ])
  })

  it('without options begins with the codes of its only variant', async () => {
    const [added] = begin({ sku: 'SH-1', values: [null, null, null] }).added
    const { body } = await create({ added: [added] })
    expect((await load(body.products._id)).variants).toMatchObject([{ sku: 'SH-1', price: 20 }])
  })

  it('is not created where a variant is refused, which its path in the form names', async () => {
    const { status, body } = await create(begin({ barcode: '12345678' }), { name: 'No shirt' })
    expect(status).toBe(400)
    expect(body.fields?.[0]?.field).toBe('variants.added.0.barcode')
    expect((await shop.get('/product/get-product/no-shirt')).status).toBe(404)
  })

  it('and a variant are changed by one call', async () => {
    const { product, variants } = await made()
    const { _id, updatedAt } = variantOf(variants, 'L')
    const changed = [{ _id, updatedAt, price: { from: 22, to: 9 } }]
    const { body } = await update(product._id, { changed }, { name: 'Blouse' })
    expect(body.products).toMatchObject({ name: 'Blouse', price: 9, quantity: 2 })
  })

  it('stays as it is where another admin has changed the variant, which is named', async () => {
    const { product, variants } = await made()
    const { _id, updatedAt } = variantOf(variants, 'L')
    const edit = (from: number) => ({ changed: [{ _id, updatedAt, price: { from, to: 30 } }] })
    const { status, body } = await update(product._id, edit(25), { name: 'Blouse' })
    expect(status).toBe(409)
    expect(body.fields).toEqual([
      { field: 'variants.changed.0.price', message: 'Blouse – L: Price is 22 now.' },
    ])
    expect((await load(product._id)).product.name).toBe('Shirt')
  })

  it('is not saved over a later edit of its variants', async () => {
    const { product, variants } = await made()
    const { _id, updatedAt } = variantOf(variants, 'M')
    await update(product._id, { changed: [{ _id, updatedAt, price: { from: 21, to: 24 } }] })
    const { status } = await update(product._id, {}, { updatedAt: product.updatedAt, name: 'Hat' })
    expect(status).toBe(409)
  })

  it('names the product that has a code already', async () => {
    const [added] = begin({ values: [null, null, null], sku: 'OURS' }).added
    await create({ added: [added] }, { name: 'Cap' })
    const { product, variants } = await made()
    const { _id, updatedAt } = variantOf(variants, 'M')
    const { body } = await update(product._id, {
      changed: [{ _id, updatedAt, sku: { from: null, to: 'OURS' } }],
    })
    expect(body.fields).toEqual([
      { field: 'variants.changed.0.sku', message: 'Cap has OURS already.' },
    ])
  })

  it('has each fact in one place of a request', async () => {
    const { product, variants } = await made()
    const { _id, updatedAt } = variantOf(variants, 'M')
    const edit = { changed: [{ _id, updatedAt, price: { from: 21, to: 24 } }] }
    const { status, body } = await update(product._id, edit, { price: 30 })
    expect([status, body.fields?.[0]?.field]).toEqual([400, 'price'])
  })

  it('tells a price that is too high by its path', async () => {
    const { body } = await create(begin({ price: 1_000_000.01 }))
    const field = 'variants.added.0.price'
    expect(body.fields?.[0]).toEqual({ field, message: expect.stringMatching(`^${field} must be`) })
  })

  it('takes no variant with the id of another one', async () => {
    const { product, variants } = await made()
    const [first] = begin().added
    const known = variantOf(variants, 'S')
    for (const added of [
      [{ ...first, _id: known._id.toUpperCase() }],
      [first, { ...first, _id: first?._id ?? '' }],
    ]) {
      const { status } = await update(product._id, { added } as VariantEdit)
      expect(status).toBe(400)
    }
    const options = [option(1, 'Size', 'S', 'M')]
    const [value] = options[0]?.values ?? []
    const to = options.map((one) => ({
      ...one,
      values: one.values.map((other) => ({ ...other, _id: value?._id ?? '' })),
    }))
    expect((await create({ ...begin(), options: { from: [], to } })).status).toBe(400)
  })

  it.each(['{', '[]', '"options"', '{"changed":[{}]}'])(
    'refuses %s as its variants',
    async (variants) => {
      const { status, body } = await shop.post<FailureBody>('/product/create-product', {
        token,
        body: formOf({ ...shirt(), variants }),
      })
      expect(status).toBe(400)
      expect(body.fields?.[0]?.field).toMatch(/^variants/)
    },
  )
})
