import { beforeAll, describe, expect, it } from 'vitest'
import type { Order } from '#app/orders/contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { addCoupon, usesOf } from '#tests/support/coupons.ts'
import { paymentContext } from '#tests/support/payment-context.ts'
import { paymentShop } from '#tests/support/payment-shop.ts'
import { cartOf } from '#tests/support/payments.ts'
import { startPayment } from './service.ts'

const { shop, start, cancel, ordersOf, stockOf, cup: addCup, refund } = paymentShop()

let gift: { id: string }
beforeAll(async () => {
  gift = await addCoupon(shop.db, { code: 'GIFT', amount_minor: 5000 })
})

const cup = (facts = {}) => addCup({ price: 10, quantity: 3, ...facts })

type Answer = { id: string; amount: number; order?: Order }

const order = (buyer: Person, product: { id: string }, facts = {}) =>
  start<Answer>(buyer, { amount: 0, cart: cartOf(product), couponCodes: ['GIFT'], ...facts })

const paymentOf = (orderId = '') =>
  shop.db
    .selectFrom('orders')
    .innerJoin('payments', 'payments.id', 'orders.payment_id')
    .where('orders.id', '=', orderId)
    .selectAll('payments')
    .executeTakeFirstOrThrow()

describe('a cart that a discount makes free', () => {
  it('is ordered by the start itself: stock and coupon are taken, and no money moves', async () => {
    const [buyer, product] = [await addPerson(shop.db), await cup()]
    const uses = await usesOf(shop, gift)
    const { status, body } = await order(buyer, product)
    expect(status).toBe(200)
    expect(body).toMatchObject({ amount: 0, order: { total: 0, products: [{ _id: product.id }] } })
    expect(await ordersOf(buyer)).toEqual([{ ...body.order, delivery: expect.anything() }])
    expect(await stockOf(product)).toBe(2)
    expect(await usesOf(shop, gift)).toBe(uses + 1)
    expect(await paymentOf(body.order?._id)).toMatchObject({
      provider: 'none',
      state: 'paid',
      amount_minor: 0,
      next_attempt_at: null,
    })
    expect(await contradictionsIn(shop.db)).toEqual({})
  })

  it('replaces the started payment of the buyer', async () => {
    const [buyer, product] = [await addPerson(shop.db), await cup({ quantity: 1 })]
    const started = await start(buyer, { amount: 1000, cart: cartOf(product) })
    expect((await order(buyer, product)).body.order?.total).toBe(0)
    expect(await stockOf(product)).toBe(0)
    // its stock is the order's now
    await cancel(buyer, started.body.id)
    expect(await stockOf(product)).toBe(0)
  })

  it('is not ordered without stock, and then holds no coupon', async () => {
    const [buyer, product] = [await addPerson(shop.db), await cup({ quantity: 0 })]
    const uses = await usesOf(shop, gift)
    expect(await order(buyer, product)).toMatchObject({
      status: 409,
      body: { code: 'out_of_stock' },
    })
    expect(await usesOf(shop, gift)).toBe(uses)
  })

  it('is ordered once, however often its start is sent at the same time', async () => {
    const [buyer, product] = [await addPerson(shop.db), await cup({ quantity: 4 })]
    const replies = await Promise.all(Array.from({ length: 6 }, () => order(buyer, product)))
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(new Set(replies.map(({ body }) => body.order?._id)).size).toBe(1)
    expect(await stockOf(product)).toBe(3)
  })

  it('answers the same order when it is sent again, also when its coupon is used up', async () => {
    const [buyer, product] = [await addPerson(shop.db), await cup()]
    await addCoupon(shop.db, { code: 'GIFT-ONCE', amount_minor: 5000, max_uses: 1 })
    const once = { couponCodes: ['GIFT-ONCE'] }
    const first = await order(buyer, product, once)
    const again = await order(buyer, product, once)
    expect([again.status, again.body.id]).toEqual([200, first.body.id])
    expect(again.body.order?._id).toBe(first.body.order?._id)
    expect(await ordersOf(buyer)).toHaveLength(1)
  })

  it('is another order for another cart, another buyer, and some minutes later', async () => {
    const [buyer, product] = [await addPerson(shop.db), await cup({ quantity: 5 })]
    await order(buyer, product)
    await order(buyer, product, { cart: cartOf(product, product) })
    await order(await addPerson(shop.db), product)
    expect(await stockOf(product)).toBe(1)
    await shop.db
      .updateTable('payments')
      .set({ created_at: new Date(Date.now() - 6 * 60_000) })
      .where('user_id', '=', buyer.id)
      .execute()
    await order(buyer, product)
    expect(await ordersOf(buyer)).toHaveLength(3)
    expect(await stockOf(product)).toBe(0)
  })

  it('costs something again when its coupon holds no longer', async () => {
    const [buyer, product] = [await addPerson(shop.db), await cup()]
    expect(await order(buyer, product, { couponCodes: ['OTHER'] })).toMatchObject({
      status: 409,
      body: {
        code: 'price_changed',
        message: 'There is no such code. Please check your cart before you pay.',
        quote: { totalMinor: 1000 },
      },
    })
    for (const couponCodes of [undefined, []])
      expect(await order(buyer, product, { couponCodes })).toMatchObject({
        status: 400,
        body: { code: 'invalid', message: 'Cart is empty or amount is invalid.' },
      })
  })

  it('is not free because its products are', async () => {
    const [buyer, product] = [await addPerson(shop.db), await cup({ price: 0 })]
    for (const couponCodes of [undefined, ['GIFT']])
      expect((await order(buyer, product, { couponCodes })).status).toBe(400)
  })
})

describe('the refund of an order without a payment', () => {
  it('moves no money, returns the stock if asked, and is made once', async () => {
    const [buyer, product] = [await addPerson(shop.db), await cup()]
    const placed = (await order(buyer, product)).body.order as Order
    expect((await refund(placed, { amount: 1 })).status).toBe(400)
    expect((await refund(placed, { returnStock: true })).status).toBe(200)
    expect(await stockOf(product)).toBe(3)
    const [listed] = await ordersOf(buyer)
    expect(listed).toMatchObject({ refundReason: 'The cup was cracked.' })
    expect(listed).not.toHaveProperty('refunded')
    expect((await refund(placed, {})).status).toBe(409)
  })

  it('can be followed by the return of the stock', async () => {
    const [buyer, product] = [await addPerson(shop.db), await cup()]
    const placed = (await order(buyer, product)).body.order as Order
    expect((await refund(placed, {})).status).toBe(200)
    expect(await stockOf(product)).toBe(2)
    expect((await refund(placed, { returnStock: true })).status).toBe(200)
    expect(await stockOf(product)).toBe(3)
    expect((await refund(placed, { returnStock: true })).status).toBe(409)
  })
})

describe("the provider's minimum", () => {
  it('is refused with a sentence, before anything is reserved', async () => {
    const [buyer, product] = [await addPerson(shop.db), await cup({ price: 0.99 })]
    const context = paymentContext(shop, { minimumMinor: () => 100 })
    const starting = (amount: number, cart?: { _id: string }[]) =>
      startPayment(shop.db, context, { userId: buyer.id, amount, ...(cart && { cart }) })
    const sentence = 'The smallest amount that can be paid is ₹1.00.'
    await expect(starting(99, cartOf(product))).rejects.toThrow(sentence)
    await expect(starting(99)).rejects.toThrow(sentence)
    expect(await stockOf(product)).toBe(3)
    expect((await starting(198, cartOf(product, product))).amount).toBe(198)
  })
})
