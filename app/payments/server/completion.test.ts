import { describe, expect, it } from 'vitest'
import { PROVIDER } from '#app/shared/server/actor/actor.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { paymentContext } from '#tests/support/payment-context.ts'
import { paymentShop } from '#tests/support/payment-shop.ts'
import { cartOf, signedPayment } from '#tests/support/payments.ts'
import { completePayment } from './completion.ts'
import type { Amount } from './providers/provider.ts'

const { shop, start, verify, ordersOf, stockOf, cup, change, started } = paymentShop()
const FAILED = { success: false, code: 'payment_failed', message: 'Payment verification failed' }

describe('POST /product/razorpay/verify', () => {
  it('makes the order of what was held', async () => {
    const { buyer, product, id } = await started()
    const proof = signedPayment(id)
    const reply = await verify(buyer, proof)
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({
      success: true,
      message: 'Payment Successful',
      order: {
        _id: expect.any(String),
        number: expect.any(Number),
        status: 'Not Process',
        buyer: { _id: buyer.id, name: buyer.name },
        createAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        payment: { razorpay_payment_id: proof.razorpay_payment_id, razorpay_order_id: id },
        products: [
          {
            _id: product.id,
            name: 'Clay cup',
            slug: product.slug,
            description: 'Holds tea.',
            price: 12.5,
          },
        ],
        total: 12.5,
        currency: 'INR',
        delivery: {
          name: buyer.name,
          email: buyer.email,
          phone: '555 0100',
          address: '1 Market Lane',
          isChanged: false,
        },
        test: true,
      },
    })
    expect(await stockOf(product)).toBe(9)
    expect(await ordersOf(buyer)).toEqual([reply.body.order])
  })

  it('repeats products by their quantity, in the order of the cart', async () => {
    const buyer = await addPerson(shop.db)
    const cups = await cup({ price: 1 })
    const pot = await cup({ name: 'Pot', price: 2 })
    const { body } = await start(buyer, { amount: 400, cart: cartOf(pot, cups, cups) })
    const { order } = (await verify(buyer, signedPayment(body.id))).body
    expect(order.products.map(({ name }) => name)).toEqual(['Pot', 'Clay cup', 'Clay cup'])
    expect(order.total).toBe(4)
    expect([await stockOf(cups), await stockOf(pot)]).toEqual([8, 9])
  })

  it('sells the cart of the start, whatever cart is sent now', async () => {
    const { buyer, product, id } = await started()
    const other = await cup()
    const reply = await verify(buyer, signedPayment(id), cartOf(other, other))
    expect(reply.body.order.products.map(({ _id }) => _id)).toEqual([product.id])
    expect(await stockOf(other)).toBe(10)
  })

  it("sells at the start's price when the price has changed since", async () => {
    const { buyer, product, id } = await started()
    await change(product, { price_minor: 99_900 })
    expect((await verify(buyer, signedPayment(id))).body.order.total).toBe(12.5)
  })

  it.each([
    ['wrong', 'f'.repeat(64)],
    ['empty', ''],
    ['short', 'ab'],
    ['of 10,000 characters', 'f'.repeat(10_000)],
    ['of 100,000 characters', 'f'.repeat(100_000)],
    ['of multi-byte characters', 'é'.repeat(64)],
  ])('refuses a signature that is %s, and the right one still counts', async (_, signature) => {
    const { buyer, product, id } = await started()
    const proof = signedPayment(id)
    const reply = await verify(buyer, { ...proof, razorpay_signature: signature })
    expect([reply.status, reply.body]).toEqual([400, FAILED])
    expect(await ordersOf(buyer)).toEqual([])
    expect((await verify(buyer, proof)).status).toBe(200)
    expect(await stockOf(product)).toBe(9)
  })

  it("refuses another order's signature", async () => {
    const first = await started()
    const second = await started()
    const proof = { ...signedPayment(first.id), razorpay_order_id: second.id }
    const reply = await verify(second.buyer, proof)
    expect([reply.status, reply.body]).toEqual([400, FAILED])
    expect(await ordersOf(second.buyer)).toEqual([])
  })

  it('refuses a proof of money whose amount the provider is asked about', async () => {
    const { buyer, product, id } = await started()
    const proof = signedPayment(id)
    let status = 0
    const lookUp = async (order: Amount) => {
      const asked = { token: buyer.token, body: proof }
      status = (await shop.post('/product/razorpay/verify', asked)).status
      return { ...order, payments: [] }
    }
    const context = paymentContext(shop, { lookUp })
    const { provider } = context
    const report = { provider, providerOrderId: id, providerPaymentId: proof.razorpay_payment_id }
    const paid = { amountMinor: 1200, currency: 'INR' }
    const completed = await completePayment(shop.db, context, {
      ...report,
      paid,
      reporter: PROVIDER,
    })
    expect(completed).toMatchObject({ capture: { purpose: 'nothing' } })
    expect(status).toBe(400)
    expect(await ordersOf(buyer)).toEqual([])
    expect(await stockOf(product)).toBe(9)
  })

  it('refuses what is not a payment id', async () => {
    const { buyer, id } = await started()
    for (const paymentId of ['', 'x', id, `pay_${'9'.repeat(1000)}`]) {
      const reply = await verify(buyer, signedPayment(id, paymentId))
      expect([reply.status, reply.body]).toEqual([400, FAILED])
    }
    expect(await ordersOf(buyer)).toEqual([])
  })

  it('refuses an order that was never started', async () => {
    const buyer = await addPerson(shop.db)
    for (const id of ['order_none', '', 'o'.repeat(5000)]) {
      const reply = await verify(buyer, signedPayment(id))
      expect([reply.status, reply.body]).toEqual([400, FAILED])
    }
  })

  it("refuses another user's order and leaves it to its owner", async () => {
    const { buyer, id } = await started()
    const thief = await addPerson(shop.db)
    const reply = await verify(thief, signedPayment(id))
    expect([reply.status, reply.body]).toEqual([400, FAILED])
    expect(await ordersOf(thief)).toEqual([])
    expect((await verify(buyer, signedPayment(id))).status).toBe(200)
    expect((await verify(thief, signedPayment(id))).status).toBe(400)
  })

  it('refuses a payment id that was used for another order', async () => {
    const first = await started()
    const paid = signedPayment(first.id)
    await verify(first.buyer, paid)
    const second = await started()
    const reply = await verify(second.buyer, signedPayment(second.id, paid.razorpay_payment_id))
    expect([reply.status, reply.body]).toEqual([400, FAILED])
    expect(await ordersOf(second.buyer)).toEqual([])
    expect((await verify(first.buyer, paid)).status).toBe(200)
  })

  it('keeps the order as it was sold when the product is edited and deleted', async () => {
    const { buyer, product, id } = await started()
    const { order } = (await verify(buyer, signedPayment(id))).body
    await shop.db
      .updateTable('products')
      .where('id', '=', product.id)
      .set({ name: 'Mug', slug: `mug-${product.id}`, description: 'New.' })
      .execute()
    await change(product, { price_minor: 1 })
    expect(await ordersOf(buyer)).toEqual([order])
    await shop.db.deleteFrom('products').where('id', '=', product.id).execute()
    expect(await ordersOf(buyer)).toEqual([order])
    expect(
      (await verify(buyer, signedPayment(id, order.payment.razorpay_payment_id))).body,
    ).toEqual({ success: true, message: 'Payment Successful', order })
  })
})

describe('POST /product/razorpay/verify after a start with an amount only', () => {
  const startAmount = async (amount: number) => {
    const buyer = await addPerson(shop.db)
    return { buyer, id: (await start(buyer, { amount })).body.id }
  }

  it("sells the cart at today's prices", async () => {
    const { buyer, id } = await startAmount(3000)
    const product = await cup()
    await change(product, { price_minor: 1500 })
    const reply = await verify(buyer, signedPayment(id), cartOf(product, product))
    expect(reply.body.order).toMatchObject({ total: 30, products: [{ price: 15 }, { price: 15 }] })
    expect(await stockOf(product)).toBe(8)
  })

  it('refuses a cart of another price, and the right one still counts', async () => {
    const { buyer, id } = await startAmount(1250)
    const cheap = await cup({ price: 12.49 })
    const dear = await cup({ price: 12.51 })
    const right = await cup()
    const proof = signedPayment(id)
    const unknown = [...cartOf(right), { _id: '00000000-0000-7000-8000-000000000000' }]
    for (const cart of [
      undefined,
      [],
      cartOf(cheap),
      cartOf(dear),
      cartOf(right, right),
      unknown,
    ]) {
      const reply = await verify(buyer, proof, cart)
      expect([reply.status, reply.body]).toEqual([400, FAILED])
    }
    expect(await ordersOf(buyer)).toEqual([])
    expect(await stockOf(right)).toBe(10)
    expect((await verify(buyer, proof, cartOf(right))).status).toBe(200)
  })

  it('answers a repeated payment with its order, whatever cart is sent then', async () => {
    const { buyer, id } = await startAmount(1250)
    const proof = signedPayment(id)
    const first = await verify(buyer, proof, cartOf(await cup()))
    expect((await verify(buyer, proof)).body).toEqual(first.body)
  })
})
