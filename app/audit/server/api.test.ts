import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, it } from 'vitest'
import { AUDITED_TABLES, type AuditEntry } from '#app/audit/admin-contract.ts'
import { auditedRows } from '#app/modules.ts'
import type { Slide } from '#app/settings/contract.ts'
import { allSettingsOf } from '#app/settings/server/service.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addPhoto, addProduct } from '#tests/support/catalogue.ts'
import { formOf } from '#tests/support/form.ts'
import { addOrder } from '#tests/support/orders.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
const { start, verify } = purchases(shop)

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
  const { body, headers, status } = await shop.get<AuditEntry[]>(`/audit-log?${search}`, {
    token: ada.token,
  })
  return { entries: body, total: Number(headers['x-total-count']), status, headers }
}

const createCategory = async (name: string, { token } = ada): Promise<string> => {
  const { body } = await shop.post('/category/create-category', { token, body: { name } })
  return Object(body).category._id
}

const createProduct = async (fields: Parameters<typeof formOf>[0]) => {
  const { body } = await shop.post<{ products: { _id: string; slug: string } }>(
    '/product/create-product',
    { token: ada.token, body: formOf({ description: 'd', price: 9.5, quantity: 1, ...fields }) },
  )
  return body.products
}

const updateProduct = (id: string, fields: Parameters<typeof formOf>[0]) =>
  shop.put(`/product/update-product/${id}`, { token: ada.token, body: formOf(fields) })

describe('GET /audit-log', () => {
  it('answers the newest first: who, when, what before and after', async () => {
    const before = Date.now()
    const id = await createCategory('Spoons')
    await shop.put(`/category/update-category/${id}`, { token: bea.token, body: { name: 'Forks' } })
    const { entries } = await read({ object: id })
    expect(entries).toMatchObject([
      {
        actor: { kind: 'admin', _id: bea.id, name: 'Bea' },
        action: 'update',
        object: { kind: 'categories', _id: id, name: 'Forks', slug: null, currency: null },
        changes: [
          { field: 'name', before: 'Spoons', after: 'Forks' },
          { field: 'slug', before: 'spoons', after: 'forks' },
        ],
      },
      { actor: { kind: 'admin', _id: ada.id, name: 'Ada' }, action: 'insert' },
    ])
    expect(Date.parse(entries[0]?.at ?? '')).toBeGreaterThanOrEqual(before)
  })

  it('has money in major units, categories by name, and deleted products by their last name', async () => {
    const from = await createCategory('From')
    const to = await createCategory('To')
    const { _id: id, slug } = await createProduct({ name: 'Kite', category: from })
    await updateProduct(id, { price: 12.25, category: to })
    const { entries } = await read({ object: id })
    const [ofVariant, ofProduct] = entries
    expect(ofProduct?.object).toEqual({
      kind: 'products',
      _id: id,
      name: 'Kite',
      slug,
      currency: null,
    })
    expect(ofProduct?.changes).toEqual([{ field: 'category_id', before: 'From', after: 'To' }])
    expect(ofVariant?.object).toMatchObject({ kind: 'variants', name: 'Kite', slug })
    expect(ofVariant?.changes).toEqual([{ field: 'price', before: 9.5, after: 12.25 }])
    await shop.delete(`/product/delete-product/${id}`, { token: ada.token })
    const after = (await read({ object: id })).entries
    // of the product and of its variant
    expect(after.map(({ action, object: { name, slug } }) => [action, name, slug])).toEqual(
      ['delete', 'delete', 'update', 'update', 'insert', 'insert'].map((action) => [
        action,
        'Kite',
        null,
      ]),
    )
    expect(after.slice(0, 2).flatMap(({ changes }) => changes)).toContainEqual({
      field: 'price',
      before: 12.25,
      after: null,
    })
  })

  it('has names, words and events in place of ids, slides and versions of pictures', async () => {
    const category = await createCategory('Vases')
    const { _id: product } = await createProduct({ name: 'Tall vase', category })
    const code = {
      code: 'VASE-1',
      percent: 5,
      products: [product, uuidv7()],
      categories: [category],
    }
    const { body } = await shop.post('/coupon/create-coupon', { token: ada.token, body: code })
    const { coupon } = body as unknown as { coupon: { _id: string } }
    expect((await read({ object: coupon._id })).entries[0]?.changes).toEqual(
      expect.arrayContaining([
        { field: 'product_ids', before: null, after: 'Tall vase, one that is deleted' },
        { field: 'category_ids', before: null, after: 'Vases' },
      ]),
    )
    const all = { ...code, products: [], categories: [] }
    await shop.put(`/coupon/update-coupon/${coupon._id}`, { token: ada.token, body: all })
    expect((await read({ object: coupon._id })).entries[0]?.changes).toEqual([
      { field: 'product_ids', before: 'Tall vase, one that is deleted', after: null },
      { field: 'category_ids', before: 'Vases', after: null },
    ])
    await addPhoto(shop.db, { id: product }, { version: 'v1' })
    await addPhoto(shop.db, { id: product }, { version: 'v2' })
    const photos = (await read({ object: product })).entries.slice(0, 2)
    expect(photos.map(({ changes }) => changes.find(({ field }) => field === 'version'))).toEqual([
      { field: 'version', before: null, after: 'changed' },
      { field: 'version', before: null, after: 'added' },
    ])

    const saveSlides = async (slides: Slide[]) => {
      const { revision, settings } = await allSettingsOf(shop.db)
      const change = { token: ada.token, body: { revision, settings: { ...settings, slides } } }
      expect((await shop.put('/settings/all', change)).status).toBe(200)
    }
    const first = { picture: 'slide-1', title: 'Tea', text: 'From the hills.', link: '' }
    const second = { picture: 'slide-2', title: 'Clay', text: 'By hand.', link: '' }
    const third = { picture: 'slide-3', title: 'Cloth', text: '', link: '' }
    await saveSlides([first, second, third])
    await saveSlides([{ ...first, title: 'Sale' }, { ...second, picture: 'slide-1' }, third])
    expect((await read({ kind: 'settings' })).entries[0]?.changes).toEqual([
      {
        field: 'slides',
        before: `slide 1 “${first.title}”, ${first.text}; slide 2 “${second.title}”, ${second.text}`,
        after: `slide 1 “Sale”, ${first.text}; slide 2 “${second.title}”, ${second.text}, another picture`,
      },
    ])
  })

  it('has the values of a payment method that were changed', async () => {
    const { revision, settings } = await allSettingsOf(shop.db)
    const { paymentMethods: methods } = settings
    const transfer = { ...methods.bank_transfer, fee: 2.5, maxTotal: 100, countries: ['IN', 'LK'] }
    const changed = { ...settings, paymentMethods: { ...methods, bank_transfer: transfer } }
    const change = { token: ada.token, body: { revision, settings: changed } }
    expect((await shop.put('/settings/all', change)).status).toBe(200)
    expect((await read({ kind: 'settings' })).entries[0]?.changes).toEqual([
      {
        field: 'payment_methods',
        before:
          'bank transfer, fee: 0; bank transfer, max total: none; bank transfer, countries: none',
        after:
          'bank transfer, fee: 2.5; bank transfer, max total: 100; bank transfer, countries: IN,LK',
      },
    ])
  })

  it('has lists and objects of the settings in words', async () => {
    const { revision, settings } = await allSettingsOf(shop.db)
    const changed = { ...settings, priceBands: [0, 50, 100] }
    const change = { token: ada.token, body: { revision, settings: changed } }
    expect((await shop.put('/settings/all', change)).status).toBe(200)
    expect((await read({ kind: 'settings' })).entries[0]?.changes).toEqual([
      { field: 'price_bands', before: '0, 20, 40, 60, 80, 100', after: '0, 50, 100' },
    ])
  })

  it('has the beginning of a long description, so that a page has 2 MB at most', async () => {
    const category = await createCategory('Long')
    const { _id: id } = await createProduct({ name: 'Scroll', category })
    await updateProduct(id, { description: '🍵'.repeat(10_000) })
    const { entries } = await read({ object: id })
    expect(entries[0]?.changes).toEqual([
      { field: 'description', before: 'd', after: `${'🍵'.repeat(1000)} …` },
    ])
  })

  it('has the refunds of its payment with an order, under its number and the name of the buyer', async () => {
    const category = await addCategory(shop.db, 'Kitchen')
    const product = await addProduct(shop.db, { category, name: 'Pan', quantity: 4 })
    const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
    const { order } = (await verify(buyer, signedPayment(body.id))).body
    await verify(buyer, signedPayment(body.id))
    const status = { token: ada.token, body: { status: 'Shipped' } }
    await shop.put(`/auth/order-status/${order._id}`, status)
    const { entries } = await read({ object: order._id })
    expect(entries.map(({ action, object }) => [action, object.kind, object.name])).toEqual([
      ['update', 'orders', `${order.number} · Asha Rao`],
      ['update', 'refunds', 'Asha Rao'],
      ['insert', 'refunds', 'Asha Rao'],
    ])
    expect(entries[1]?.changes).toEqual([{ field: 'state', before: 'pending', after: 'done' }])
    expect(entries[2]?.changes).toContainEqual({ field: 'amount', before: null, after: 12.5 })
    expect(entries.map(({ object }) => object.currency)).toEqual([order.currency, 'INR', 'INR'])
  })
})

it('a name of its rows is registered for each audited table but settings, which are one', () => {
  expect([...Object.keys(auditedRows), 'settings', 'tax_settings'].sort()).toEqual(
    AUDITED_TABLES.toSorted(),
  )
})

describe('the filters of GET /audit-log', () => {
  it('narrow by kind, by actor and by days, all together', async () => {
    const id = await createCategory('Filtered', bea)
    const kinds = (await read({ kind: 'categories' })).entries.map(({ object }) => object.kind)
    expect(new Set(kinds)).toEqual(new Set(['categories']))
    const byBea = await read({ actor: bea.id, kind: 'categories' })
    expect(byBea.entries[0]?.object._id).toBe(id)
    expect(new Set(byBea.entries.map(({ actor }) => actor._id))).toEqual(new Set([bea.id]))
    const byShop = await read({ actor: 'shop' })
    expect(byShop.total).toBeGreaterThan(0)
    expect(new Set(byShop.entries.map(({ actor }) => actor.kind))).toEqual(new Set(['shop']))
    const today = new Date().toISOString().slice(0, 10)
    expect((await read({ object: id, from: today, to: today })).total).toBe(1)
    expect((await read({ object: id, to: '2020-01-01' })).entries).toEqual([])
    expect((await read({ object: id, from: '2999-01-01' })).entries).toEqual([])
    expect((await read({ object: id, kind: 'products' })).total).toBe(0)
    expect((await read({ object: uuidv7() })).total).toBe(0)
  })

  it.each([
    'kind=sessions',
    'actor=nobody',
    'actor=user;',
    'object=x',
    'page=0',
    'page=1.5',
    'from=2026-02-30',
    'to=today',
  ])('refuse %s', async (query) => {
    expect((await shop.get(`/audit-log?${query}`, { token: ada.token })).status).toBe(400)
  })

  it('come in pages of fifty, to the end and past it', async () => {
    const { id } = await addOrder(shop.db, buyer)
    await sql`insert into audit_log (action, table_name, row_id, before, after)
      select 'update', 'orders', ${id}, '{}', jsonb_build_object('n', n)
      from generate_series(1, 101) as n order by n`.execute(shop.db)
    const [first, second, third, fourth] = await Promise.all(
      [1, 2, 3, 4].map((page) => read({ object: id, page })),
    )
    expect(first?.total).toBe(101)
    expect(first?.headers.link).toContain('page=3')
    const all = [first, second, third].flatMap((page) => page?.entries ?? [])
    expect(all.map(({ changes: [change] }) => change?.after)).toEqual(
      Array.from({ length: 101 }, (_, n) => 101 - n),
    )
    expect(fourth?.entries).toEqual([])
    expect((await read({ page: 1e15 })).entries).toEqual([])
  })
})
