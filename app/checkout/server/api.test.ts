import { beforeAll, describe, expect, it } from 'vitest'
import type { Quote } from '#app/checkout/contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { cartOf, purchases } from '#tests/support/payments.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()

let category: { id: string }
beforeAll(async () => {
  category = await addCategory(shop.db, 'Kitchen')
})

const quote = <Body = Quote>(cart: unknown) =>
  shop.post<Body>('/checkout/quote', { body: { cart } })

describe('POST /checkout/quote', () => {
  it('prices a cart of goods line by line, for anybody', async () => {
    const cup = await addProduct(shop.db, { category, price: 12.5 })
    const pot = await addProduct(shop.db, { category, price: 30 })
    const { status, body } = await quote(cartOf(pot, cup, pot))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      currency: 'INR',
      lines: [
        { product: { _id: pot.id }, quantity: 2, priceMinor: 3000 },
        { product: { _id: cup.id }, quantity: 1, priceMinor: 1250 },
      ],
      adjustments: [],
      subtotalMinor: 7250,
      totalMinor: 7250,
    })
  })

  it('reserves nothing, and costs nothing without a product', async () => {
    const cup = await addProduct(shop.db, { category, quantity: 1 })
    await quote(cartOf(cup))
    expect(await purchases(shop).stockOf(cup)).toBe(1)
    expect((await quote([])).body).toMatchObject({ lines: [], totalMinor: 0 })
  })

  it('says what is left, and what is no longer sold', async () => {
    const cup = await addProduct(shop.db, { category, price: 12.5, quantity: 3 })
    const gone = crypto.randomUUID()
    const { status, body } = await quote([{ _id: gone.toUpperCase() }, ...cartOf(cup)])
    expect(status).toBe(200)
    const { id: _id, name, slug, description } = cup
    const product = { _id, name, slug, description, photo: null, stock: 3 }
    expect(body).toMatchObject({ lines: [{ product }], gone: [gone], totalMinor: 1250 })
    expect((await quote(cartOf(cup))).body).not.toHaveProperty('gone')
  })

  it('is what a start with another amount answers', async () => {
    const cup = await addProduct(shop.db, { category, price: 12.5 })
    const { start } = purchases(shop)
    const buyer = await addPerson(shop.db)
    const reply = await start<{ code: string; quote: Quote }>(buyer, {
      amount: 1249,
      cart: cartOf(cup),
    })
    expect(reply).toMatchObject({ status: 409, body: { code: 'price_changed' } })
    expect(reply.body.quote).toEqual((await quote(cartOf(cup))).body)
  })
})
