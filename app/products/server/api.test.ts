import { beforeAll, describe, expect, it } from 'vitest'
import type { Row } from '#db/schema.ts'
import { addCategory, addProduct, changeListed } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'
import type { ListedProduct, Product } from '../contract.ts'

const shop = testShop()

type Listed = { success: true; products: ListedProduct[]; total: number }
type Full = { success: true; products: Product[]; total: number }

const UNKNOWN = '01900000-0000-7000-8000-000000000000'
const FAR = 10 ** 12

/** A category of 30 products at 5, 10 … 150, and one of 3 at 19.99, 20 and 10000. */
let shelf: Row<'categories'>
let corner: Row<'categories'>
const cups: Row<'products'>[] = []
const rarities: Row<'products'>[] = []

beforeAll(async () => {
  shelf = await addCategory(shop.db, 'Shelf')
  corner = await addCategory(shop.db, 'Corner')
  for (let n = 1; n <= 30; n += 1) {
    cups.push(await addProduct(shop.db, { category: shelf, name: `Cup ${n}`, price: 5 * n }))
  }
  for (const price of [19.99, 20, 10_000]) {
    const name = `Rarity 50%_${price} Élan`
    rarities.push(await addProduct(shop.db, { category: corner, name, price }))
  }
})

const newestFirst = (...products: Row<'products'>[][]) =>
  products
    .flat()
    .map(({ id }) => id)
    .toReversed()
const idsOf = (products: { _id: string }[]) => products.map(({ _id }) => _id)
const filter = <Body = Listed>(body: unknown) =>
  shop.post<Body>('/product/product-filters', { body })

describe('GET /product/product-count', () => {
  it('answers the total', async () => {
    const { body } = await shop.get('/product/product-count')
    expect(body).toEqual({ success: true, total: 33 })
  })
})

describe('GET /product/product-list/:page', () => {
  it('answers twelve a page, newest first', async () => {
    const { status, body } = await shop.get<Listed>('/product/product-list/1')
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, total: 33 })
    const second = (await shop.get<Listed>('/product/product-list/2')).body
    const third = (await shop.get<Listed>('/product/product-list/3')).body
    const pages = [body, second, third].map(({ products }) => idsOf(products))
    expect(pages.map(({ length }) => length)).toEqual([12, 12, 9])
    expect(pages.flat()).toEqual(newestFirst(cups, rarities))
  })

  it('answers a product with exactly the declared fields, the category as an id', async () => {
    const { products } = (await shop.get<Listed>('/product/product-list/1')).body
    const { id, name, slug, description, created_at, updated_at } = rarities[0] ?? never()
    expect(products[2]).toEqual({
      _id: id,
      name,
      slug,
      description,
      price: 19.99,
      quantity: 10,
      category: corner.id,
      shipping: 0,
      photo: null,
      createdAt: created_at.toISOString(),
      updatedAt: updated_at.toISOString(),
    })
  })

  it('answers an empty list past the end, however far', async () => {
    for (const page of [4, FAR]) {
      const { status, body } = await shop.get(`/product/product-list/${page}`)
      expect([status, body]).toEqual([200, { success: true, products: [], total: 33 }])
    }
  })
})

describe('POST /product/product-filters', () => {
  it.each([
    [{ checked: ['x'] }, 'checked.0', 'checked.0 is not valid.'],
    [{ checked: 'x' }, 'checked', 'checked must be a list.'],
    [{ radio: ['0', '19'] }, 'radio.0', 'radio.0 must be a number.'],
    [{ page: 1.5 }, 'page', 'page must be a whole number.'],
  ])('names the field that is wrong: %j', async (body, field, message) => {
    const reply = await shop.post('/product/product-filters', { body })
    const fields = [{ field, message }]
    expect(reply.body).toEqual({ success: false, code: 'invalid', message, field, fields })
  })

  it('answers the plain list without filters', async () => {
    const plain = (await shop.get('/product/product-list/1')).body
    for (const body of [{}, { checked: [], radio: [] }, { page: 1 }]) {
      expect((await filter(body)).body).toEqual(plain)
    }
  })

  it('answers the products of the checked categories', async () => {
    const { body } = await filter({ checked: [corner.id] })
    expect([idsOf(body.products), body.total]).toEqual([newestFirst(rarities), 3])
    const both = (await filter({ checked: [corner.id, shelf.id, UNKNOWN, shelf.id] })).body
    expect(both.total).toBe(33)
  })

  it.each([
    [
      [0, 19],
      [5, 10, 15, 19.99],
    ],
    [
      [20, 39],
      [20, 25, 30, 35, 20],
    ],
    [
      [80, 99],
      [80, 85, 90, 95],
    ],
    [
      [20, 99],
      [...Array.from({ length: 16 }, (_, n) => 20 + 5 * n), 20],
    ],
    [
      [15, 22],
      [15, 20, 19.99, 20],
    ],
    [[9999, 9999], [10_000]],
    [
      [0, 9999],
      [...Array.from({ length: 30 }, (_, n) => 5 + 5 * n), 19.99, 20, 10_000],
    ],
    [[1e9, 1e9], []],
    [[5.5, 9], []],
  ])('takes the band %j for a ≤ price < b + 1', async (radio, prices) => {
    const { body } = await filter({ radio })
    expect(body.total).toBe(prices.length)
    expect(body.products.map(({ price }) => price)).toEqual(prices.toReversed().slice(0, 12))
  })

  it('has no upper end in the top band', async () => {
    const { body } = await filter({ radio: [100, 9999], checked: [corner.id] })
    expect(body.products.map(({ price }) => price)).toEqual([10_000])
    expect((await filter({ radio: [100, 9999] })).body.total).toBe(12)
  })

  it('pages through what it found', async () => {
    const first = (await filter({ checked: [shelf.id], page: 1 })).body
    const last = (await filter({ checked: [shelf.id], page: 3 })).body
    expect(first.products).toHaveLength(12)
    expect(idsOf(last.products)).toEqual(newestFirst(cups).slice(24))
    const past = await filter({ checked: [shelf.id], radio: [0, 19], page: FAR })
    expect([past.status, past.body]).toEqual([200, { success: true, products: [], total: 3 }])
  })

  it('finds nothing in an unknown category', async () => {
    const { status, body } = await filter({ checked: [UNKNOWN] })
    expect([status, body]).toEqual([200, { success: true, products: [], total: 0 }])
  })

  it.each([
    { checked: ['x'] },
    { checked: 'x' },
    { checked: [null] },
    { radio: [20] },
    { radio: [39, 20] },
    { radio: [1, 2, 3] },
    { radio: ['0', '19'] },
    { radio: [-5, 19] },
    { page: 0 },
    { page: 1.5 },
    { page: 'x' },
    { page: null },
    null,
  ])('refuses %j', async (body) => {
    const refused = await filter<{ code: string }>(body)
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid'])
  })
})

describe('GET /product/products', () => {
  const browse = (query: object) =>
    shop.get<Listed>(`/product/products?${new URLSearchParams({ ...query })}`)

  it('answers the same lists as product-filters, with a summary of each description', async () => {
    const both = [corner.id, shelf.id]
    for (const [query, body] of [
      [{}, {}],
      [{ page: '3' }, { page: 3 }],
      [{ category: corner.id }, { checked: [corner.id] }],
      [
        { category: both.join(), price: '20-39' },
        { checked: both, radio: [20, 39] },
      ],
      [{ price: '100-9999' }, { radio: [100, 9999] }],
      [{ category: UNKNOWN }, { checked: [UNKNOWN] }],
      [{ page: String(FAR) }, { page: FAR }],
    ] as const) {
      const { status, body: list } = await browse(query)
      const { products, ...whole } = (await filter(body)).body
      const cards = products.map(({ description: summary, ...facts }) => ({ ...facts, summary }))
      expect([status, list]).toEqual([200, { ...whole, products: cards }])
    }
  })

  it('sorts by price, and leaves out what is sold out', async () => {
    const prices = async (query: object) =>
      (await browse({ category: corner.id, ...query })).body.products.map(({ price }) => price)
    expect(await prices({ order: 'price-up' })).toEqual([19.99, 20, 10_000])
    expect(await prices({ order: 'price-down' })).toEqual([10_000, 20, 19.99])
    const [first] = rarities
    await setQuantity(first?.id ?? '', 0)
    expect(await prices({ order: 'price-up', stock: 'in' })).toEqual([20, 10_000])
    await setQuantity(first?.id ?? '', 10)
  })

  it.each([
    { category: 'x' },
    { category: `${UNKNOWN},` },
    { category: Array(301).fill(UNKNOWN).join() },
    { price: '39-20' },
    { price: '20' },
    { stock: 'out' },
    { order: 'relevance' },
    { page: '0' },
  ])('refuses %j', async (query) => {
    const { status, body } = await browse(query)
    expect([status, body]).toMatchObject([400, { code: 'invalid' }])
  })
})

describe('GET /product/get-product', () => {
  it('answers 24 a page with their categories, newest first', async () => {
    const { body } = await shop.get<Full>('/product/get-product')
    expect(idsOf(body.products)).toEqual(newestFirst(cups, rarities).slice(0, 24))
    expect(body.total).toBe(33)
    const { id, name, slug } = corner
    expect(body.products[0]?.category).toEqual({ _id: id, name, slug })
    const second = (await shop.get<Full>('/product/get-product?page=2')).body
    expect(second.products).toHaveLength(9)
  })

  it.each([
    ['cUP%201', 11],
    ['%20up%202%20', 11],
    ['up%203%20', 2],
    ['50%25', 3],
    ['%25', 3],
    ['_', 3],
    ['%5C', 0],
    ['%EF%BC%85', 3],
    ["'", 0],
    ['elan', 3],
    ['%C3%A9LAN', 3],
    ['', 33],
    ['%20', 33],
  ])('finds ?q=%s in names', async (q, total) => {
    const { status, body } = await shop.get<Full>(`/product/get-product?q=${q}`)
    expect([status, body.total, body.products.length]).toEqual([200, total, Math.min(total, 24)])
  })

  it('takes 5,000 characters', async () => {
    const { status, body } = await shop.get<Full>(`/product/get-product?q=${'x'.repeat(5000)}`)
    expect([status, body.total]).toEqual([200, 0])
  })

  it('answers an empty list past the end', async () => {
    const past = await shop.get<Full>(`/product/get-product?page=${FAR}`)
    expect([past.status, past.body.products]).toEqual([200, []])
  })
})

const setQuantity = (id: string, quantity: number) => changeListed(shop.db, { id }, { quantity })

const never = () => {
  throw new Error('The test has no such product.')
}
