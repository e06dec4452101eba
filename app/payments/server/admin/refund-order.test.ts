import { describe, expect, it, vi } from 'vitest'
import type { Order } from '#app/orders/contract.ts'
import { refundCapture } from '#app/payments/server/refunds/refunds.ts'
import { admin as adminActor } from '#app/shared/server/actor/actor.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { entriesOf } from '#tests/support/audit-log.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { addRefund } from '#tests/support/orders.ts'
import { paymentContext, refundOf } from '#tests/support/payment-context.ts'
import { paymentShop } from '#tests/support/payment-shop.ts'
import { cartOf, signedPayment } from '#tests/support/payments.ts'
import { refundOrder } from './refund-order.ts'

const { shop, start, verify, ordersOf, stockOf, admin, asAdmin, cup } = paymentShop()

async function bought() {
  const buyer = await addPerson(shop.db)
  const product = await cup({ quantity: 5 })
  const cart = cartOf(product, product)
  const { body } = await start(buyer, { amount: 2500, cart })
  const { order } = (await verify(buyer, signedPayment(body.id))).body
  return { buyer, product, order }
}

const refund = ({ _id }: Order, body: object, { token } = asAdmin()) =>
  shop.post<{ message: string }>(`/payment/refund/${_id}`, { token, body })

const CRACKED = { reason: 'The cup was cracked.' }

describe('POST /payment/refund/:orderId', () => {
  it('refunds the whole payment, and tells the buyer why', async () => {
    const { buyer, order, product } = await bought()
    expect((await refund(order, CRACKED)).status).toBe(200)
    expect(await ordersOf(buyer)).toMatchObject([
      { _id: order._id, refunded: 25, refundReason: 'The cup was cracked.' },
    ])
    expect(await stockOf(product)).toBe(3)
  })

  it('refunds it part by part, and never more than was paid', async () => {
    const { buyer, order } = await bought()
    expect((await refund(order, { ...CRACKED, amount: 10 })).status).toBe(200)
    expect((await refund(order, { ...CRACKED, amount: 15.01 })).body).toMatchObject({
      code: 'invalid',
      message: 'Only ₹15.00 of this order is left to refund.',
    })
    expect((await refund(order, { ...CRACKED, amount: 5.5 })).status).toBe(200)
    expect(await ordersOf(buyer)).toMatchObject([{ refunded: 15.5 }])
    expect((await refund(order, CRACKED)).status).toBe(200)
    expect(await ordersOf(buyer)).toMatchObject([{ refunded: 25 }])
    expect((await refund(order, CRACKED)).body).toMatchObject({
      code: 'conflict',
      message: 'All the money of this order is refunded already.',
    })
    expect(await contradictionsIn(shop.db)).toEqual({})
  })

  it('returns the pieces to the stock, once', async () => {
    const { order, product } = await bought()
    expect((await refund(order, { ...CRACKED, amount: 1, returnStock: true })).status).toBe(200)
    expect(await stockOf(product)).toBe(5)
    expect((await refund(order, { ...CRACKED, amount: 1, returnStock: true })).status).toBe(409)
    expect(await stockOf(product)).toBe(5)
  })

  it('returns the pieces after the whole refund, once, and the order says so', async () => {
    const { buyer, order, product } = await bought()
    expect((await refund(order, CRACKED)).status).toBe(200)
    expect((await ordersOf(buyer))[0]?.stockReturned).toBeUndefined()
    const returning = { reason: 'They came back.', returnStock: true }
    expect((await refund(order, { ...returning, amount: 1 })).status).toBe(409)
    expect((await refund(order, returning)).status).toBe(200)
    expect(await stockOf(product)).toBe(5)
    expect(await ordersOf(buyer)).toMatchObject([
      { refunded: 25, refundReason: CRACKED.reason, stockReturned: true },
    ])
    expect((await refund(order, returning)).body).toMatchObject({
      code: 'conflict',
      message: 'The pieces of this order were returned to the stock already.',
    })
    expect(await stockOf(product)).toBe(5)
    expect(await contradictionsIn(shop.db)).toEqual({})
  })

  it('refuses an amount that is none, a missing reason, an unknown order and a customer', async () => {
    const { buyer, order } = await bought()
    for (const body of [{ ...CRACKED, amount: 0 }, { ...CRACKED, amount: -1 }, {}, { reason: ' ' }])
      expect((await refund(order, body)).status).toBe(400)
    const unknown = { ...order, _id: crypto.randomUUID() }
    expect((await refund(unknown, CRACKED)).status).toBe(404)
    expect((await refund(order, CRACKED, buyer)).status).toBe(403)
    expect((await ordersOf(buyer))[0]?.refunded).toBeUndefined()
  })

  it('writes who refunded how much and why to the audit log', async () => {
    const { order } = await bought()
    const entries = await entriesOf(shop.db, () => refund(order, { ...CRACKED, amount: 10 }))
    expect(entries).toMatchObject([
      {
        actor_kind: 'admin',
        actor_id: admin().id,
        after: { state: 'pending', amount_minor: 1000, reason: CRACKED.reason },
      },
      { after: { state: 'done' } },
    ])
  })

  it('refuses money that is at another provider, and does not touch it', async () => {
    const { order } = await bought()
    const payment = shop.db
      .updateTable('payments')
      .where('id', '=', (eb) =>
        eb.selectFrom('orders').where('orders.id', '=', order._id).select('payment_id'),
      )
    await payment.set({ provider: 'razorpay' }).execute()
    expect(await refund(order, CRACKED)).toMatchObject({
      status: 409,
      body: {
        code: 'conflict',
        message: expect.stringContaining('The money of this order is at Razorpay'),
      },
    })
    const { id } = await shop.db
      .updateTable('captures')
      .from('orders')
      .set({ provider: 'razorpay' })
      .whereRef('captures.payment_id', '=', 'orders.payment_id')
      .where('orders.id', '=', order._id)
      .returning('captures.id')
      .executeTakeFirstOrThrow()
    const due = { state: 'pending' as const, next_attempt_at: new Date(0) }
    await addRefund(shop.db, { payment_id: id }, 1000, due)
    const asked = vi.fn()
    await refundCapture(shop.db, paymentContext(shop, { refund: asked }), id)
    expect(asked).not.toHaveBeenCalled()
  })

  it('is not ended by the late answer to the request of a former part', async () => {
    const { order } = await bought()
    const context = paymentContext(shop, {
      // the provider answers when another job has ended the first part, and an admin asked for the next
      refund: async () => {
        const { capture_id } = await shop.db
          .updateTable('refunds')
          .set({ state: 'done', done_at: new Date(), next_attempt_at: null })
          .where('state', '=', 'pending')
          .returning('capture_id')
          .executeTakeFirstOrThrow()
        const next = { state: 'pending' as const, next_attempt_at: new Date() }
        await addRefund(shop.db, { payment_id: capture_id }, 1001, next)
        return refundOf(1000, { amountMinor: 2500 })
      },
    })
    const request = { orderId: order._id, amountMinor: 1000, returnsStock: false, ...CRACKED }
    await refundOrder(shop.db, context, adminActor({ userId: admin().id }), request)
    const next = await shop.db
      .selectFrom('refunds')
      .where('amount_minor', '=', 1001)
      .select('state')
      .executeTakeFirst()
    expect(next).toEqual({ state: 'pending' })
  })
})
