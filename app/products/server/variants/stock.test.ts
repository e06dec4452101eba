import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { returnOrderStock } from '#app/orders/server/service.ts'
import type { BulkChange, StockEntry } from '#app/products/catalogue-contract.ts'
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { seededRandom } from '#tests/support/seeded-random.ts'
import { testShop } from '#tests/support/shop.ts'
import { option, variantCallsOf, variantOf } from '#tests/support/variant-calls.ts'
import { EXPLAINED_STOCK, type ExplainedStock } from './stock-explained.sql.ts'

const shop = testShop()
let admin: Person
const { load, make, save } = variantCallsOf(shop, () => admin.token)
let category = { id: '', name: '', slug: '' }
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  category = await addCategory(shop.db, 'Shirts')
})
const shirt = async (...colours: string[]) => {
  const { id } = await addProduct(shop.db, { category, name: 'Shirt', price: 12.5, quantity: 10 })
  return make(id, [option(1, 'Colour', ...colours)])
}
const bulk = (id: string, change: BulkChange, changeId = randomUUID()) =>
  shop.post<{ changed: number; refused: number }>('/product/change-products', {
    token: admin.token,
    body: { changeId, selection: { ids: [id] }, change },
  })

describe('a change of many products', () => {
  it('changes all variants once, and is undone of all', async () => {
    const { product, variants } = await shirt('Red', 'Blue', 'Green')
    const changeId = randomUUID()
    await bulk(product._id, { pricePercent: 10 }, changeId)
    const { body } = await bulk(product._id, { pricePercent: 10 }, changeId)
    expect(body).toMatchObject({ changed: 1, refused: 0 })
    expect((await load(product._id)).variants.map(({ price }) => price)).toEqual([
      13.75, 13.75, 13.75,
    ])
    await bulk(product._id, { quantity: 4 })
    expect((await load(product._id)).variants.map(({ quantity }) => quantity)).toEqual([4, 4, 4])
    const undo = { token: admin.token, body: { changeId } }
    expect((await shop.post('/product/undo-change', undo)).body).toMatchObject({
      undone: 1,
      kept: 0,
    })
    const now = (await load(product._id)).variants
    expect(now.map(({ price }) => price)).toEqual(variants.map(({ price }) => price))
  })

  it('leaves out a product of which one variant would be out of range', async () => {
    const made = await shirt('Red', 'Blue')
    const { _id, updatedAt } = variantOf(made, 'Blue')
    const quantity = { from: 10, to: 2 }
    await save(made.product._id, { changed: [{ _id, updatedAt, quantity }] })
    const { body } = await bulk(made.product._id, { quantityAdded: -3 })
    expect(body).toMatchObject({ changed: 0, refused: 1 })
    expect(variantOf(await load(made.product._id), 'Red').quantity).toBe(10)
  })
})

/** The stock of a product as the doctor explains it. */
async function explained(id: string) {
  const { rows } = await sql<ExplainedStock>`
    select * from (${EXPLAINED_STOCK}) as product where id = ${id}::uuid`.execute(shop.db)
  return rows[0]
}

describe('the history of the stock', () => {
  it('names the variant that was corrected, sold and returned', async () => {
    const made = await shirt('Red', 'Blue')
    const blue = variantOf(made, 'Blue')
    const quantity = { from: 10, to: 7 }
    const sent = { _id: blue._id, updatedAt: blue.updatedAt, quantity }
    await save(made.product._id, { changed: [sent], reason: 'Broken' })
    const { start, verify } = purchases(shop)
    const buyer = await addPerson(shop.db)
    const cart = cartOf({ id: blue._id })
    const { body: payment } = await start(buyer, { amount: 1250, cart })
    await verify(buyer, signedPayment(payment.id), cart)
    const path = `/product/stock-history/${made.product._id}`
    const { body } = await shop.get<StockEntry[]>(path, { token: admin.token })
    expect(
      body.slice(0, 2).map(({ kind, variant, change, reason }) => [kind, variant, change, reason]),
    ).toEqual([
      ['sale', 'Blue', -1, null],
      ['edit', 'Blue', -3, 'Broken'],
    ])
  })

  it('explains the stock after a variant of which one was sold is removed twice', async () => {
    const made = await shirt('Red', 'Blue')
    const { _id: id } = made.product
    const { held: _, updatedAt: __, ...blue } = variantOf(made, 'Blue')
    const { start, verify } = purchases(shop)
    const buyer = await addPerson(shop.db)
    const cart = cartOf({ id: blue._id })
    const { body: payment } = await start(buyer, { amount: 1250, cart })
    await verify(buyer, signedPayment(payment.id), cart)
    await save(id, { removed: [blue._id] })
    await save(id, { added: [blue] })
    await save(id, { removed: [blue._id] })
    expect(await explained(id)).toMatchObject({ stock: 10, explained: 10 })
  })

  it.each([1, 2, 3, 4])(
    'explains the stock, and options stay sound, after random edits, sales and returns (%i)',
    async (seed) => {
      const { next } = seededRandom(seed)
      const below = (count: number) => Math.floor(next() * count)
      const made = await shirt('Red', 'Blue', 'Green')
      const { _id: id } = made.product
      const { start, verify } = purchases(shop)
      const buyer = await addPerson(shop.db)
      const expected = new Map(made.variants.map(({ _id, quantity }) => [_id, quantity]))
      const orders: { order: string; variant: string }[] = []
      for (let step = 0; step < 14; step += 1) {
        const { options, variants } = await load(id)
        const one = variants[below(variants.length)]
        const [colour] = options
        if (!one || !colour) throw new Error('The shirt has no variant.')
        const add = (variant: string, pieces: number) =>
          expected.set(variant, (expected.get(variant) ?? 0) + pieces)
        const acts = [
          async () => {
            const more = below(9)
            const quantity = { from: one.quantity, to: one.quantity + more }
            const sent = { _id: one._id, updatedAt: one.updatedAt, quantity }
            if ((await save(id, { changed: [sent] })).status === 200) add(one._id, more)
          },
          async () => {
            // the last one is refused
            const { status } = await save(id, { removed: [one._id] })
            if (status === 200) expected.delete(one._id)
            expect(status).toBe(variants.length === 1 ? 400 : 200)
          },
          async () => {
            const value = { _id: randomUUID(), name: `C${below(5)}`, swatch: null }
            const { updatedAt: _, ...cells } = one
            const added = {
              ...cells,
              _id: randomUUID(),
              sku: null,
              values: [value._id, null, null],
            }
            const to = [{ ...colour, values: [...colour.values, value] }]
            const { status } = await save(id, { options: { from: options, to }, added: [added] })
            if (status === 200) add(added._id, one.quantity)
          },
          async () => {
            const cart = cartOf({ id: one._id })
            const { body: payment } = await start(buyer, { amount: one.price * 100, cart })
            if (!payment.id) return
            const { body } = await verify(buyer, signedPayment(payment.id), cart)
            orders.push({ order: body.order._id, variant: one._id })
            add(one._id, -1)
          },
          async () => {
            const sold = orders.pop()
            // what comes back of a removed variant has no stock to come into
            if (!sold || !expected.has(sold.variant)) return
            await inTransaction(shop.db, SHOP, (tx) => returnOrderStock(tx, sold.order))
            add(sold.variant, 1)
          },
          async () => {
            const more = below(4) - 1
            const { body } = await bulk(id, { quantityAdded: more })
            if (body.changed === 1) for (const variant of expected.keys()) add(variant, more)
          },
        ]
        await acts[below(acts.length)]?.()
        const stock = await explained(id)
        expect(stock?.stock, `after step ${step}`).toBe(stock?.explained)
        const after = await load(id)
        const quantities = after.variants.map(({ _id, quantity }) => [_id, quantity] as const)
        expect(new Map(quantities), `after step ${step}`).toEqual(expected)
        expect(await contradictionsIn(shop.db)).toEqual({})
        const combinations = after.variants.map(({ values }) => values.join())
        expect(new Set(combinations).size).toBe(combinations.length)
      }
    },
  )
})
