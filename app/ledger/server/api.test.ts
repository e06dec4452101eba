import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Entry } from '#app/ledger/admin-contract.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { formOf } from '#tests/support/form.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
const { start, verify, cancel, ordersOf } = purchases(shop)

let ada: Person
let bea: Person
let buyer: Person
beforeAll(async () => {
  ada = await addPerson(shop.db, { admin: true, name: 'Ada' })
  bea = await addPerson(shop.db, { admin: true, name: 'Bea' })
  buyer = await addPerson(shop.db, { name: 'Asha Rao' })
})

const read = async (query: Record<string, string | number> = {}) => {
  const search = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, `${v}`]))
  const { body, headers, status } = await shop.get<Entry[]>(`/ledger?${search}`, {
    token: ada.token,
  })
  return { entries: body, total: Number(headers['x-total-count']), status, headers }
}

const post = (path: string, body: object, { token } = ada) =>
  shop.post<never>(path, { token, body })

const createCategory = async (name: string, by = ada): Promise<string> =>
  Object(await post('/category/create-category', { name }, by)).body.category._id

const shown = (entries: Entry[]) =>
  entries.map(({ action, object }) => `${action} ${object.kind} ${object.name}`)

describe('GET /ledger', () => {
  it('answers the newest first: who, when, what before and after', async () => {
    const id = await createCategory('Spoons')
    await shop.put(`/category/update-category/${id}`, { token: bea.token, body: { name: 'Forks' } })
    const { entries } = await read({ object: id })
    expect(entries).toMatchObject([
      {
        actor: { kind: 'admin', _id: bea.id, name: 'Bea' },
        action: 'update',
        object: { kind: 'category', _id: id, name: 'Forks', slug: null },
        changes: expect.arrayContaining([
          { field: 'name', before: 'Spoons', after: 'Forks' },
          { field: 'slug', before: 'spoons', after: 'forks' },
        ]),
        cause: null,
      },
      { actor: { kind: 'admin', _id: ada.id, name: 'Ada' }, action: 'create' },
    ])
    expect(entries[0]?.changes).toHaveLength(2)
    expect(Date.parse(entries[0]?.at ?? '')).toBeGreaterThan(Date.now() - 60_000)
  })

  it('has money in major units, categories by their names, and what is gone by its last', async () => {
    const [from, to] = [await createCategory('From'), await createCategory('To')]
    const fields = { name: 'Kite', description: 'd', price: 9.5, quantity: 1, category: from }
    const made = await shop.post<{ products: { _id: string; slug: string } }>(
      '/product/create-product',
      { token: ada.token, body: formOf(fields) },
    )
    const { _id: id, slug } = made.body.products
    const change = formOf({ price: 12.25, category: to })
    await shop.put(`/product/update-product/${id}`, { token: ada.token, body: change })
    const { entries } = await read({ object: id })
    expect(entries[0]?.object).toEqual({ kind: 'product', _id: id, name: 'Kite', slug })
    expect(entries[0]?.changes).toEqual([
      { field: 'category', before: 'From', after: 'To' },
      { field: 'price', before: 9.5, after: 12.25 },
    ])
    await shop.delete(`/product/delete-product/${id}`, { token: ada.token })
    const after = (await read({ object: id })).entries
    expect(after.map(({ object }) => [object.name, object.slug])).toEqual(
      after.map(() => ['Kite', null]),
    )
    expect(after[0]?.changes).toContainEqual({ field: 'price', before: 12.25, after: null })
  })

  it('tells the beginning of a long description, so that a page has 2 MB at most', async () => {
    const category = await createCategory('Long')
    const fields = { name: 'Scroll', description: 'd', price: 9.5, quantity: 1, category }
    const made = await shop.post<{ products: { _id: string } }>('/product/create-product', {
      token: ada.token,
      body: formOf(fields),
    })
    const { _id: id } = made.body.products
    const change = formOf({ description: '🍵'.repeat(10_000) })
    await shop.put(`/product/update-product/${id}`, { token: ada.token, body: change })
    const { entries } = await read({ object: id })
    expect(entries[0]?.changes).toEqual([
      { field: 'description', before: 'd', after: `${'🍵'.repeat(1000)} …` },
    ])
  })

  it('explains the stock, and tells of an order with its payment', async () => {
    const category = await addCategory(shop.db, 'Kitchen')
    const product = await addProduct(shop.db, { category, name: 'Pan', quantity: 4 })
    const amount = 1250
    const left = await start(buyer, { amount, cart: cartOf(product) })
    await cancel(buyer, left.body.id)
    const { body } = await start(buyer, { amount, cart: cartOf(product) })
    await verify(buyer, signedPayment(body.id))
    // started with an amount only: taken when the order is made
    const plain = await start(buyer, { amount })
    await verify(buyer, signedPayment(plain.body.id), cartOf(product))
    const stock = (await read({ object: product.id })).entries
    expect(stock.map(({ cause, changes: [change] }) => [change?.after, cause])).toMatchObject([
      [2, { kind: 'order', action: 'update' }],
      [3, { kind: 'hold', action: 'create' }],
      [4, { kind: 'hold', action: 'delete' }],
      [3, { kind: 'hold', action: 'create' }],
      [expect.anything(), null],
    ])
    const [, order] = await ordersOf(buyer)
    const { entries } = await read({ object: order?._id ?? '' })
    expect(shown(entries)).toEqual([
      'update order Asha Rao',
      'create order Asha Rao',
      'update money Asha Rao',
      'delete hold Asha Rao',
      'update payment Asha Rao',
      'create money Asha Rao',
      'update payment Asha Rao',
      'create hold Asha Rao',
      'create payment Asha Rao',
    ])
    expect(entries[0]?.changes).toEqual([
      {
        field: 'lines',
        before: null,
        after: [{ _id: product.id, name: 'Pan', quantity: 1, price: 12.5 }],
      },
    ])
    const held = entries[7]?.changes.find(({ field }) => field === 'lines')
    expect(held?.after).toEqual([{ _id: product.id, name: 'Pan', quantity: 1, price: 12.5 }])
    expect(entries[7]?.changes.find(({ field }) => field === 'expiresAt')?.after).toMatch(/Z$/)
  })
})

describe('the filters of GET /ledger', () => {
  it('narrow by kind, by actor and by days, all together', async () => {
    const id = await createCategory('Filtered', bea)
    const kind = await read({ kind: 'category' })
    expect(new Set(kind.entries.map(({ object }) => object.kind))).toEqual(new Set(['category']))
    const byBea = await read({ actor: bea.id, kind: 'category' })
    expect(byBea.entries[0]?.object._id).toBe(id)
    expect(new Set(byBea.entries.map(({ actor }) => actor._id))).toEqual(new Set([bea.id]))
    const byShop = await read({ actor: 'shop' })
    expect(byShop.total).toBeGreaterThan(0)
    expect(new Set(byShop.entries.map(({ actor }) => actor.kind))).toEqual(new Set(['shop']))
    const today = new Date().toISOString().slice(0, 10)
    expect((await read({ object: id, from: today, to: today })).total).toBe(1)
    expect((await read({ object: id, to: '2020-01-01' })).entries).toEqual([])
    expect((await read({ object: id, from: '2999-01-01' })).entries).toEqual([])
    expect((await read({ object: id, kind: 'product' })).total).toBe(0)
    expect((await read({ object: uuidv7() })).total).toBe(0)
  })

  it.each([
    ...['kind=session', 'actor=nobody', 'actor=user;', 'object=x', 'page=0', 'page=1.5'],
    ...['from=2026-02-30', 'to=today'],
  ])('refuse %s', async (query) => {
    expect((await shop.get(`/ledger?${query}`, { token: ada.token })).status).toBe(400)
  })

  it('come in pages of fifty, to the end and past it', async () => {
    const category = await addCategory(shop.db, 'Paged')
    const product = await addProduct(shop.db, { category, quantity: 1000 })
    for (let n = 0; n < 100; n++)
      await sql`update products set quantity = quantity - 1 where id = ${product.id}`.execute(
        shop.db,
      )
    const pages = [1, 2, 3, 4].map((page) => read({ object: product.id, page }))
    const [first, second, third, fourth] = await Promise.all(pages)
    expect(first?.total).toBe(101)
    expect(first?.headers.link).toContain('page=3')
    const all = [first, second, third].flatMap((page) => page?.entries ?? [])
    expect(all.map(({ changes: [change] }) => change?.after).slice(0, 100)).toEqual(
      Array.from({ length: 100 }, (_, n) => 900 + n),
    )
    expect(all).toHaveLength(101)
    expect(fourth?.entries).toEqual([])
    expect((await read({ page: 1e15 })).entries).toEqual([])
  })

  it('count no further than ten thousand', async () => {
    const id = uuidv7()
    await sql`insert into ledger (actor_kind, object_kind, object_id, action, after)
      select 'shop', 'product', ${id}, 'create', '{}' from generate_series(1, 10050)`.execute(
      shop.db,
    )
    const { total, entries } = await read({ object: id, page: 201 })
    expect([total, entries.length]).toEqual([10_000, 50])
  })
})
