import { Script } from 'node:vm'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, it } from 'vitest'
import { MAX_CART_UNITS } from '#app/checkout/contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { paymentShop } from '#tests/support/payment-shop.ts'
import { cartOf, signedPayment } from '#tests/support/payments.ts'
import type { PaymentProof } from '../contract.ts'

const { shop, start, verify, ordersOf, stockOf, cup, started } = paymentShop()
const BAD_AMOUNT = {
  success: false,
  code: 'invalid',
  message: 'Cart is empty or amount is invalid.',
}

let buyer: Person
beforeAll(async () => {
  buyer = await addPerson(shop.db)
})

describe('POST /product/razorpay/order', () => {
  it('prices a cart with repeated products', async () => {
    const a = await cup({ price: 12.5 })
    const b = await cup({ price: 0.99 })
    const reply = await start(buyer, { amount: 2599, cart: cartOf(a, b, a) })
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({
      id: expect.stringMatching(/^order_\w+$/),
      amount: 2599,
      currency: 'INR',
      key: 'rzp_sandbox',
      checkout: '/api/v1/payment/sandbox/checkout.js',
    })
  })

  it('refuses a cart of more pieces than an order can list', async () => {
    const product = await cup({ quantity: 500 })
    const of = (quantity: number) => Array.from({ length: quantity }, () => product)
    const cart = cartOf(...of(MAX_CART_UNITS + 1))
    const reply = await start(buyer, { amount: 1250 * cart.length, cart })
    expect(reply.status).toBe(400)
    expect(reply.body).toMatchObject({ message: 'cart may have at most 200 entries.' })
    const full = cartOf(...of(MAX_CART_UNITS))
    expect((await start(buyer, { amount: 1250 * full.length, cart: full })).status).toBe(200)
  })

  it('takes whole products and counts only their ids', async () => {
    const product = await cup()
    const cart = [{ _id: product.id.toUpperCase(), price: 0.01, name: 'Cheap', quantity: -5 }]
    expect((await start(buyer, { amount: 1, cart })).status).toBe(409)
    expect((await start(buyer, { amount: 1250, cart })).status).toBe(200)
  })

  it.each([0, -1, -1250, 1.5, 1250.5, 1e300, 2 ** 53, 9007199254740991, -0])(
    'refuses the amount %s, with and without a cart',
    async (amount) => {
      const cart = cartOf(await cup())
      for (const body of [{ amount }, { amount, cart }]) {
        const reply = await start(buyer, body)
        expect([reply.status, reply.body]).toEqual([400, BAD_AMOUNT])
      }
    },
  )

  it('refuses an empty cart', async () => {
    const reply = await start(buyer, { amount: 1250, cart: [] })
    expect([reply.status, reply.body]).toEqual([400, BAD_AMOUNT])
  })

  it('refuses a cart that costs nothing', async () => {
    const reply = await start(buyer, { amount: 0, cart: cartOf(await cup({ price: 0 })) })
    expect([reply.status, reply.body]).toEqual([400, BAD_AMOUNT])
  })

  it.each([1249, 1251, 125000, 12.5e9])(
    'refuses the amount %s for a cart of 1250',
    async (amount) => {
      const reply = await start(buyer, { amount, cart: cartOf(await cup()) })
      expect(reply).toMatchObject({ status: 409, body: { code: 'price_changed' } })
    },
  )

  it('refuses a product that does not exist, naming the cart, before anything else', async () => {
    const cart = [...cartOf(await cup({ quantity: 0 })), { _id: uuidv7() }]
    for (const amount of [1250, 0]) {
      const reply = await start(buyer, { amount, cart })
      expect(reply).toMatchObject({ status: 400, body: { code: 'invalid' } })
      expect(reply.body).toHaveProperty('message', expect.stringContaining('cart'))
    }
  })

  it('names the product and what is left when there is too little of it', async () => {
    const pot = await cup({ name: 'Copper pot', quantity: 2 })
    const reply = await start(buyer, { amount: 1, cart: cartOf(pot, pot, pot) })
    expect(reply).toMatchObject({
      status: 409,
      body: {
        code: 'out_of_stock',
        message: 'Not enough of Copper pot in stock: only 2 left.',
      },
    })
    expect((await start(buyer, { amount: 2500, cart: cartOf(pot, pot) })).status).toBe(200)
  })

  it('names a sold-out product', async () => {
    const pot = await cup({ name: 'Copper pot', quantity: 0 })
    const reply = await start(buyer, { amount: 1250, cart: cartOf(await cup(), pot) })
    expect(reply).toMatchObject({
      status: 409,
      body: { code: 'out_of_stock', message: 'Copper pot is sold out: 0 left.' },
    })
  })

  it('holds the stock and makes no order', async () => {
    const { buyer, product } = await started({ quantity: 3 })
    expect(await stockOf(product)).toBe(2)
    expect(await ordersOf(buyer)).toEqual([])
  })
})

describe('POST /payment/sandbox/pay', () => {
  const pay = <Body = PaymentProof>(id: unknown) =>
    shop.post<Body>('/payment/sandbox/pay', { body: { razorpay_order_id: id } })

  it('signs a payment that makes the order', async () => {
    const { buyer, id } = await started()
    const paid = await pay(id)
    expect(paid.status).toBe(200)
    expect((await verify(buyer, paid.body)).status).toBe(200)
    expect((await pay(id)).status).toBe(400)
  })

  it('does not know an order that was never started', async () => {
    expect((await pay('order_none')).status).toBe(404)
    expect((await pay('x'.repeat(10_000))).status).toBe(404)
    expect((await pay(1)).status).toBe(400)
  })

  it('is not a way to settle what a signature already settled', async () => {
    const { buyer, id } = await started()
    await verify(buyer, signedPayment(id))
    expect((await pay(id)).status).toBe(400)
  })
})

describe('GET /payment/sandbox/checkout.js', () => {
  it('is a classic script without types', async () => {
    const reply = await shop.get('/payment/sandbox/checkout.js')
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toContain('text/javascript')
    expect(() => new Script(reply.bytes.toString())).not.toThrow()
  })
})
