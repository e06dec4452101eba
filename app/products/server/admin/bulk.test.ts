import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AuditEntry } from '#app/audit/admin-contract.ts'
import type { BulkChange, BulkResult } from '#app/products/catalogue-contract.ts'
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct, insertProducts, sellUntil } from '#tests/support/catalogue.ts'
import { formOf } from '#tests/support/form.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
let token = ''
let cups = { id: '' }
let bowls = { id: '' }
/** Three cups, and a bowl. */
let ids: string[] = []

beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  cups = await addCategory(shop.db, 'Cups')
  bowls = await addCategory(shop.db, 'Bowls')
})
beforeEach(async () => {
  await shop.db.deleteFrom('products').execute()
  ids = []
  for (const [name, price] of [
    ['Clay cup', 10.1],
    ['Tin cup', 0.1],
    ['Gold cup', 999_999],
  ] as const)
    ids.push((await addProduct(shop.db, { category: cups, name, price, quantity: 4 })).id)
  ids.push((await addProduct(shop.db, { category: bowls, name: 'Bowl', price: 5 })).id)
})

type Options = { changeId?: string; selection?: object; dryRun?: boolean; reason?: string }

const change = (what: object, options: Options = {}) =>
  shop.post<BulkResult>('/product/change-products', {
    token,
    body: { changeId: crypto.randomUUID(), selection: { ids }, change: what, ...options },
  })
const undo = (changeId: string) =>
  shop.post<{ message: string; undone: number; kept: number }>('/product/undo-change', {
    token,
    body: { changeId },
  })
const stored = (column: 'price_minor' | 'quantity' | 'category_id' | 'status') =>
  shop.db
    .selectFrom('products')
    .innerJoin('variants', 'variants.id', 'listed_variant_id')
    .select(column)
    .orderBy('products.id')
    .execute()
    .then((rows) => rows.map((row) => row[column]))
const edit = (at: number, fields: Parameters<typeof formOf>[0]) =>
  shop.put(`/product/update-product/${ids[at]}`, { token, body: formOf(fields) })

describe('POST /product/change-products', () => {
  it('raises the prices of a category by a percentage, rounded to the minor unit', async () => {
    const selection = { filter: { category: cups.id, q: 'cup' } }
    const dry = await change({ pricePercent: 5 }, { selection, dryRun: true })
    expect(dry.body).toMatchObject({
      message: '2 products would change. 1 product is left out: its value would be out of range.',
      changed: 2,
      refused: 1,
      preview: [
        { name: 'Gold cup', before: 999_999, after: 1_049_998.95, isRefused: true },
        { name: 'Tin cup', before: 0.1, after: 0.11, isRefused: false },
        { name: 'Clay cup', before: 10.1, after: 10.61, isRefused: false },
      ],
    })
    expect(await stored('price_minor')).toEqual([1010, 10, 99_999_900, 500])
    const { body } = await change({ pricePercent: 5 }, { selection })
    expect(body.message).toBe(
      '2 products changed. 1 product is left out: its value would be out of range.',
    )
    expect(await stored('price_minor')).toEqual([1061, 11, 99_999_900, 500])
  })

  it.each<[BulkChange, string, (number | string)[]]>([
    [{ priceAmount: -0.2 }, 'price_minor', [990, 10, 99_999_880, 480]],
    [{ quantity: 7 }, 'quantity', [7, 7, 7, 7]],
    [{ quantityAdded: -5 }, 'quantity', [4, 4, 4, 5]],
    [{ status: 'draft' }, 'status', ['draft', 'draft', 'draft', 'draft']],
  ])('makes the change %j where its value is in range', async (what, column, expected) => {
    await change(what)
    expect(await stored(column as 'quantity')).toEqual(expected)
  })

  it('moves products into a category, and shows its name before', async () => {
    const { body } = await change({ category: bowls.id }, { dryRun: true })
    expect(body.changed).toBe(3)
    expect(body.preview[0]).toMatchObject({ before: 'Cups', after: 'Bowls' })
    await change({ category: bowls.id })
    expect(new Set(await stored('category_id'))).toEqual(new Set([bowls.id]))
    const gone = await change({ category: crypto.randomUUID() })
    expect(gone).toMatchObject({ status: 400, body: { field: 'category' } })
  })

  it('deletes the selection, which a dry run names', async () => {
    const selection = { ids: [ids[0], ids[1], crypto.randomUUID()] }
    const dry = await change({ isDeleted: true }, { selection, dryRun: true })
    expect(dry.body).toMatchObject({
      changed: 2,
      preview: [{ name: 'Tin cup' }, { name: 'Clay cup' }],
    })
    const { body } = await change({ isDeleted: true }, { selection })
    expect(body.message).toBe('2 products deleted.')
    expect(await stored('quantity')).toHaveLength(2)
  })

  it('changes no product twice when it is sent again, and others that were not reached', async () => {
    const changeId = crypto.randomUUID()
    await change({ priceAmount: 1 }, { changeId, selection: { ids: ids.slice(0, 2) } })
    const { body } = await change(
      { priceAmount: 1 },
      { changeId, selection: { ids: [ids[0], ids[3]] } },
    )
    expect(body.changed).toBe(3)
    expect(await stored('price_minor')).toEqual([1110, 110, 99_999_900, 600])
  })

  it('says when it is sent again what it has done, also of a change that would now be refused', async () => {
    const changeId = crypto.randomUUID()
    const dearer = () => change({ priceAmount: 600_000 }, { changeId })
    const { message } = (await dearer()).body
    expect(message).toMatch(/^3 products changed. 1 product is left out/)
    expect((await dearer()).body.message).toBe(message)
    const deletion = crypto.randomUUID()
    const remove = () => change({ isDeleted: true }, { changeId: deletion })
    expect((await remove()).body.message).toBe('4 products deleted.')
    expect((await remove()).body.message).toBe('4 products deleted.')
  })

  it('changes nothing when another number matches than was seen', async () => {
    const filter = { q: 'cup' }
    for (const count of [2, 4])
      for (const dryRun of [true, false]) {
        const selection = { filter, count }
        const { status, body } = await change({ isDeleted: true }, { selection, dryRun })
        expect({ status, body }).toMatchObject({ status: 409, body: { code: 'stale' } })
      }
    expect(await stored('quantity')).toHaveLength(4)
    const deletion = { changeId: crypto.randomUUID(), selection: { filter, count: 3 } }
    expect((await change({ isDeleted: true }, deletion)).body.changed).toBe(3)
    // sent again, when none matches any more
    expect((await change({ isDeleted: true }, deletion)).body.changed).toBe(3)
  })

  it('changes more products than a transaction has', async () => {
    const rows = Array.from({ length: 201 }, (_, at) => ({
      id: crypto.randomUUID(),
      name: `Jug ${at}`,
      slug: `jug-${at}-${crypto.randomUUID()}`,
      description: '',
      price_minor: 100,
      quantity: 1,
      category_id: cups.id,
    }))
    await inTransaction(shop.db, SHOP, (tx) => insertProducts(tx, rows))
    const changeId = crypto.randomUUID()
    const selection = { filter: { q: 'jug' } }
    const { body } = await change({ quantityAdded: 1 }, { changeId, selection })
    expect(body.changed).toBe(201)
    expect((await undo(changeId)).body).toMatchObject({ undone: 201, kept: 0 })
  })

  it.each<[BulkChange, number[]]>([
    [{ pricePercent: 5, priceEnding: '.99' }, [1099, 99, 499]],
    [{ pricePercent: 5, priceEnding: '.00' }, [1100, 0, 500]],
    [{ priceAmount: 0.5, priceEnding: '.90' }, [1090, 90, 590]],
  ])('rounds changed prices to an ending: %j', async (what, after) => {
    const selection = { ids: [0, 1, 3].flatMap((at) => ids[at] ?? []) }
    const changeId = crypto.randomUUID()
    const dry = await change(what, { selection, changeId, dryRun: true })
    await change(what, { selection, changeId })
    const prices = await stored('price_minor')
    expect([0, 1, 3].map((at) => prices[at])).toEqual(after)
    expect(dry.body.preview.length).toBeGreaterThan(0)
    for (const { _id, after: shown } of dry.body.preview)
      expect(shown).toBe(Number(prices[ids.indexOf(_id)]) / 100)
  })

  it.each([
    [{}],
    [{ priceEnding: '.99' }],
    [{ quantity: 1, priceEnding: '.99' }],
    [{ pricePercent: 5, priceEnding: '.95' }],
    [{ pricePercent: 5, quantity: 1 }],
    [{ pricePercent: 1001 }],
    [{ priceAmount: 0.001 }],
    [{ quantity: -1 }],
  ])('refuses the change %j', async (what) => {
    expect((await change(what)).status).toBe(400)
  })

  it('refuses a selection of neither ids nor a filter', async () => {
    for (const selection of [{}, { ids: [] }, { ids: ['x'] }, { filter: { stock: 'much' } }])
      expect((await change({ quantity: 1 }, { selection })).status).toBe(400)
  })

  it('shows the change to everybody at once', async () => {
    const [first] = await shop.db.selectFrom('products').select('slug').orderBy('id').execute()
    const price = async () =>
      (await shop.get<{ product: { price: number } }>(`/product/get-product/${first?.slug}`)).body
        .product.price
    expect(await price()).toBe(10.1)
    await change({ priceAmount: 1 })
    expect(await price()).toBe(11.1)
  })
})

describe('POST /product/undo-change', () => {
  it('takes a change of prices back, but those that were edited since', async () => {
    const changeId = crypto.randomUUID()
    await change({ pricePercent: 10 }, { changeId })
    await edit(0, { price: 3 })
    await edit(1, { description: 'Shines.' })
    const { body } = await undo(changeId)
    expect(body).toMatchObject({
      message:
        '2 products changed back. 1 product was changed since, and stays as it is: Clay cup.',
      undone: 2,
      kept: 1,
    })
    expect(await stored('price_minor')).toEqual([300, 10, 99_999_900, 500])
    expect((await undo(changeId)).body).toMatchObject({ undone: 0, kept: 3 })
  })

  it('takes a change back at any time by its id, which the history has', async () => {
    const changeId = crypto.randomUUID()
    await change({ pricePercent: 10 }, { changeId })
    const path = `/audit-log?object=${ids[0]}`
    const { body } = await shop.get<AuditEntry[]>(path, { token })
    expect(body[0]).toMatchObject({ changeId, changes: [{ field: 'price' }] })
    expect((await undo(body[0]?.changeId ?? '')).body).toMatchObject({ undone: 3, kept: 0 })
    // an undoing is no change of many products
    const now = await shop.get<AuditEntry[]>(path, { token })
    expect(now.body[0]).not.toHaveProperty('changeId')
  })

  it('takes a change of statuses back, which the list shows and the shop at once', async () => {
    const changeId = crypto.randomUUID()
    const inShop = async () =>
      (await shop.get<{ total: number }>('/product/product-count')).body.total
    const archived = async () =>
      (await shop.get<object[]>('/product/all-products?status=archived', { token })).body.length
    await change({ status: 'archived' }, { changeId, selection: { ids: ids.slice(0, 3) } })
    expect([await inShop(), await archived()]).toEqual([1, 3])
    await undo(changeId)
    expect([await inShop(), await archived()]).toEqual([4, 0])
  })

  it('keeps what was sold since a change of stock', async () => {
    const changeId = crypto.randomUUID()
    await change({ quantity: 10 }, { changeId })
    await sellUntil(shop.db, { id: ids[0] ?? '' }, 8)
    // seven are left of ten, of which only four were there before
    await sellUntil(shop.db, { id: ids[1] ?? '' }, 5)
    expect((await undo(changeId)).body).toMatchObject({ undone: 2, kept: 1 })
    expect(await stored('quantity')).toEqual([2, 5, 4, 10])
  })

  it('leaves products whose former category is gone, and does nothing for an unknown change', async () => {
    const { id } = await addCategory(shop.db, 'Jars')
    await change({ category: id })
    const changeId = crypto.randomUUID()
    await change({ category: bowls.id }, { changeId })
    await shop.delete(`/category/delete-category/${id}`, { token })
    expect((await undo(changeId)).body).toMatchObject({ undone: 0, kept: 4 })
    expect((await undo(crypto.randomUUID())).body.message).toBe('There is nothing to undo.')
  })
})
