import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DetailedProduct } from '#app/products/contract.ts'
import type { VariantEdit } from '#app/products/variant-contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addPhoto, addProduct, sellUntil } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'
import { option, type Variants, variantCallsOf, variantOf } from '#tests/support/variant-calls.ts'

const shop = testShop()
let token = ''
let category = { id: '' }
beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  category = await addCategory(shop.db, 'Clothes')
})

const { load, save, make } = variantCallsOf(shop, () => token)
const OPTIONS = () => [option(1, 'Colour', 'Red', 'Blue'), option(2, 'Size', 'S', 'M')]
const shirt = async () =>
  make((await addProduct(shop.db, { category, name: 'Shirt' })).id, OPTIONS())
const shown = async ({ product }: Variants) =>
  (await shop.get<{ product: DetailedProduct }>(`/product/get-product/${product.slug}`)).body
    .product

const change = (
  { _id, updatedAt }: { _id: string; updatedAt: string },
  cells: Omit<NonNullable<VariantEdit['changed']>[number], '_id' | 'updatedAt'>,
): VariantEdit => ({ changed: [{ _id, updatedAt, ...cells }] })

describe('PUT /product/variants/:id', () => {
  it('makes all combinations of a product, whose own variant is the first of them', async () => {
    const { id, slug } = await addProduct(shop.db, { category, name: 'Hat' })
    const before = (await load(id)).variants
    expect(before).toMatchObject([{ values: [null, null, null] }])
    const made = await make(id, OPTIONS(), { price: 20, sku: null })
    expect(made.options).toMatchObject([{ name: 'Colour' }, { name: 'Size' }])
    expect(made.variants.map(({ price }) => price)).toEqual([before[0]?.price, 20, 20, 20])
    expect(variantOf(made, 'Red', 'S')._id).toBe(before[0]?._id)
    expect(made.product.slug).toBe(slug)
  })

  it('changes single cells, of the listed variant as the product shows them', async () => {
    const made = await shirt()
    const first = variantOf(made, 'Red', 'S')
    const other = variantOf(made, 'Blue', 'M')
    const { status, body } = await save(made.product._id, {
      changed: [
        ...(change(first, { price: { from: first.price, to: 9 } }).changed ?? []),
        ...(change(other, { sku: { from: null, to: ' BM-1 ' }, quantity: { from: 10, to: 4 } })
          .changed ?? []),
      ],
    })
    expect(status).toBe(200)
    expect(body.variants).toHaveLength(2)
    const after = await load(made.product._id)
    expect(variantOf(after, 'Blue', 'M')).toMatchObject({ sku: 'BM-1', quantity: 4, price: 12.5 })
    expect((await shown(made)).price).toBe(9)
    expect(body.variants.map(({ updatedAt }) => updatedAt).sort()).toEqual(
      [variantOf(after, 'Red', 'S'), variantOf(after, 'Blue', 'M')]
        .map(({ updatedAt }) => updatedAt)
        .sort(),
    )
  })

  it('subtracts what was sold since the quantity was read', async () => {
    const made = await shirt()
    const first = variantOf(made, 'Red', 'S')
    await sellUntil(shop.db, { id: made.product._id }, first.quantity - 3)
    const edit = change(first, { quantity: { from: first.quantity, to: first.quantity + 5 } })
    const { body } = await save(made.product._id, edit)
    expect(body.variants).toMatchObject([{ quantity: first.quantity + 2 }])
    expect((await load(made.product._id)).variants[0]?.quantity).toBe(first.quantity + 2)
  })

  it('says what another admin has changed, and keeps what only that one changed', async () => {
    const made = await shirt()
    const one = variantOf(made, 'Red', 'M')
    await save(made.product._id, change(one, { price: { from: 12.5, to: 14 } }))
    const refused = await save(made.product._id, change(one, { price: { from: 12.5, to: 15 } }))
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'stale',
        fields: [{ field: 'changed.0.price', message: 'Shirt – Red / M: Price is 14 now.' }],
      },
    })
    await save(made.product._id, change(one, { sku: { from: null, to: 'RM' } }))
    expect(variantOf(await load(made.product._id), 'Red', 'M')).toMatchObject({
      price: 14,
      sku: 'RM',
    })
  })

  it('refuses options that were changed since, and names them', async () => {
    const made = await shirt()
    const [colour, size] = made.options
    const renamed = colour && size ? [{ ...colour, name: 'Farbe' }, size] : []
    await save(made.product._id, { options: { from: made.options, to: renamed } })
    const { status, body } = await save(made.product._id, {
      options: { from: made.options, to: [] },
    })
    expect(status).toBe(409)
    expect(body).toMatchObject({ message: expect.stringContaining('Farbe: Red, Blue; Size: S, M') })
  })

  it.each([
    ['two variants of the same values', 'have the same values'],
    ['a SKU twice', 'Shirt – Red / S and Shirt – Blue / M have the same SKU.'],
    ['a barcode with a wrong last digit', 'the last digit of the barcode'],
    ['a price before that is lower', 'has to be higher'],
    ['two values of one name in another case', 'Two values of Colour'],
    ['the removal of all variants', 'at least one variant'],
    ['a value that is removed without its variants', 'one value of each option'],
    ['501 variants', 'at most 500'],
  ])('refuses %s', async (what, message) => {
    const made = await shirt()
    const [colour, size] = made.options
    const first = variantOf(made, 'Red', 'S')
    const last = variantOf(made, 'Blue', 'M')
    if (!colour || !size) throw new Error('The shirt has no options.')
    const { updatedAt: _, ...cells } = last
    const fresh = { ...cells, _id: randomUUID() }
    const edits: Record<string, VariantEdit> = {
      'two variants of the same values': { added: [fresh] },
      'a SKU twice': {
        changed: [first, last].flatMap(
          (one) => change(one, { sku: { from: null, to: 'X' } }).changed ?? [],
        ),
      },
      'a barcode with a wrong last digit': change(last, {
        barcode: { from: null, to: '4006381233932' },
      }),
      'a price before that is lower': change(last, { compareAt: { from: null, to: 12.5 } }),
      'two values of one name in another case': {
        options: {
          from: made.options,
          to: [
            {
              ...colour,
              values: [...colour.values, { _id: randomUUID(), name: ' RED ', swatch: null }],
            },
            size,
          ],
        },
      },
      'the removal of all variants': { removed: made.variants.map(({ _id }) => _id) },
      'a value that is removed without its variants': {
        options: {
          from: made.options,
          to: [{ ...colour, values: colour.values.slice(0, 1) }, size],
        },
      },
      '501 variants': {
        added: Array.from({ length: 497 }, () => ({ ...fresh, _id: randomUUID() })),
      },
    }
    const before = await load(made.product._id)
    const { status, body } = await save(made.product._id, edits[what] ?? {})
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain(message)
    expect(await load(made.product._id)).toEqual(before)
  })

  it('names the product that has a SKU already', async () => {
    const one = await shirt()
    const other = await shirt()
    const sku = { from: null, to: randomUUID() }
    await save(one.product._id, change(variantOf(one, 'Red', 'M'), { sku }))
    const { status, body } = await save(
      other.product._id,
      change(variantOf(other, 'Red', 'M'), { sku }),
    )
    expect(status).toBe(400)
    expect(body).toMatchObject({
      fields: [{ field: 'changed.0.sku', message: `Shirt has ${sku.to} already.` }],
    })
  })

  it('takes a SKU that is the barcode of another product, beside a barcode that is taken', async () => {
    const [one, other] = [await shirt(), await shirt()]
    const barcode = { from: null, to: '40063812' }
    await save(one.product._id, change(variantOf(one, 'Red', 'M'), { barcode }))
    const variant = variantOf(other, 'Red', 'M')
    const refused = await save(other.product._id, change(variant, { sku: barcode, barcode }))
    expect(refused.body).toMatchObject({
      fields: [{ field: 'changed.0.barcode', message: expect.stringContaining('Shirt has') }],
    })
    const { status } = await save(other.product._id, change(variant, { sku: barcode }))
    expect(status).toBe(200)
  })

  it('refuses a new value with the id of one of another product', async () => {
    const [one, other] = [await shirt(), await shirt()]
    const foreign = one.options[0]?.values[0]
    const [colour, ...rest] = other.options
    const variant = variantOf(other, 'Red', 'M')
    if (!foreign || !colour) throw new Error('The shirt has no colour.')
    const values = [...colour.values, { ...foreign, name: 'Foreign' }]
    const { held: _, updatedAt: __, ...cells } = variant
    const added = {
      ...cells,
      _id: randomUUID(),
      values: [foreign._id, variant.values[1] ?? null, null],
    }
    const { status, body } = await save(other.product._id, {
      options: { from: other.options, to: [{ ...colour, values }, ...rest] },
      added: [added],
    })
    expect({ status, body }).toMatchObject({ status: 400, body: { field: 'options' } })
  })

  it('lists the product at its cheapest variant that can be bought', async () => {
    const made = await shirt()
    const first = variantOf(made, 'Red', 'S')
    const other = variantOf(made, 'Blue', 'S')
    await save(made.product._id, change(other, { price: { from: 12.5, to: 9 } }))
    const { price, variants = [] } = await shown(made)
    expect(price).toBe(9)
    expect(variants.filter(({ isListed }) => isListed)).toMatchObject([{ _id: other._id }])
    // any but the last one can be removed
    const { status } = await save(made.product._id, { removed: [first._id] })
    expect(status).toBe(200)
    expect((await load(made.product._id)).variants).toHaveLength(3)
  })

  it('removes an option with the variants that only it distinguished', async () => {
    const made = await shirt()
    const [colour] = made.options
    if (!colour) throw new Error('The shirt has no colour.')
    const removed = [variantOf(made, 'Red', 'M'), variantOf(made, 'Blue', 'M')].map(
      ({ _id }) => _id,
    )
    const { status } = await save(made.product._id, {
      options: { from: made.options, to: [colour] },
      removed,
    })
    expect(status).toBe(200)
    const after = await load(made.product._id)
    expect(after.options).toEqual([colour])
    expect(after.variants.map(({ values }) => values.slice(1))).toEqual([
      [null, null],
      [null, null],
    ])
  })

  it('is in the history of the product, by the names of its values', async () => {
    const made = await shirt()
    const blue = variantOf(made, 'Blue', 'M')
    await save(made.product._id, change(blue, { price: { from: blue.price, to: 31 } }))
    const path = `/audit-log?object=${made.product._id}`
    const { body } = await shop.get<object[]>(path, { token })
    expect(body[0]).toMatchObject({
      object: { kind: 'variants', _id: blue._id, name: 'Shirt – Blue / M' },
      changes: [{ field: 'price', after: 31 }],
    })
  })

  it('is for admins, and of a product that there is', async () => {
    const guest = await shop.put(`/product/variants/${randomUUID()}`, { body: {} })
    expect(guest.status).toBe(401)
    expect((await save(randomUUID(), { removed: [randomUUID()] })).status).toBe(404)
    expect((await save(randomUUID(), { reason: 'Counted' })).status).toBe(400)
  })
})

describe('the id of a variant', () => {
  it('has the photo and the similar products of its product', async () => {
    const made = await shirt()
    const other = await addProduct(shop.db, { category, name: 'Scarf' })
    await addPhoto(shop.db, { id: made.product._id })
    const { _id } = variantOf(made, 'Blue', 'M')
    const photo = await shop.get(`/product/product-photo/${_id}?w=320`)
    expect(photo.bytes).toEqual(
      (await shop.get(`/product/product-photo/${made.product._id}?w=320`)).bytes,
    )
    expect(photo.headers['cache-control']).toBe('no-store')
    const similar = `/product/related-product/${_id}/${category.id}`
    const { body } = await shop.get<{ products: { _id: string }[] }>(similar)
    const ids = body.products.map((product) => product._id)
    expect(ids).toContain(other.id)
    expect(ids).not.toContain(made.product._id)
  })
})
