import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import type { Order } from '#app/orders/contract.ts'
import { issueInvoices } from '#app/orders/server/invoice.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { addCoupon, usesOf } from '#tests/support/coupons.ts'
import { emailKindsAbout } from '#tests/support/emails.ts'
import { cartOf, signedPayment } from '#tests/support/payments.ts'
import { unpaidShop } from '#tests/support/unpaid-orders.ts'

const { shop, start, verify, ordered, receive, cup, ordersOf, stockOf, asAdmin } = unpaidShop()

afterEach(async () => expect(await contradictionsIn(shop.db)).toEqual({}))

const cancel = ({ _id }: { _id: string }, body: object = {}) =>
  shop.post<{ message: string }>(`/payment/cancel-order/${_id}`, {
    ...asAdmin(),
    body: { returnStock: true, refund: true, ...body },
  })

const emailsOf = async (order: { _id: string }) =>
  (await emailKindsAbout(shop.db, order)).filter((kind) => kind !== 'new_order')

/** An order of two cups that a provider was paid for. */
async function paid() {
  const buyer = await addPerson(shop.db)
  const product = await cup({ quantity: 5 })
  const { body } = await start(buyer, { amount: 2500, cart: cartOf(product, product) })
  const { order } = (await verify(buyer, signedPayment(body.id))).body
  return { buyer, product, order }
}

const moneyId = (order: Order) => order.payment.razorpay_payment_id

describe('POST /payment/cancel-order/:orderId', () => {
  it('cancels the order, returns its stock and refunds its money', async () => {
    const { buyer, product, order } = await paid()
    expect((await cancel(order, { reason: 'The kiln broke.' })).body.message).toBe(
      'The order is cancelled. ₹25.00 goes back to the customer.',
    )
    expect(await ordersOf(buyer)).toMatchObject([
      { status: 'cancel', refunded: 25, refundReason: 'The kiln broke.', stockReturned: true },
    ])
    expect(await stockOf(product)).toBe(5)
    expect(await emailsOf(order)).toEqual(
      expect.arrayContaining(['order_confirmation', 'status_changed', 'refund']),
    )
  })

  it('does it once, however often it is requested', async () => {
    const { buyer, product, order } = await paid()
    const request = { key: randomUUID() }
    const answers = await Promise.all([1, 2, 3].map(() => cancel(order, request)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await ordersOf(buyer)).toMatchObject([{ refunded: 25, refunds: [{ amount: 25 }] }])
    expect(await stockOf(product)).toBe(5)
  })

  it('keeps stock and money, and tells nobody, where that is chosen', async () => {
    const { buyer, product, order } = await paid()
    const kept = { returnStock: false, refund: false, mails: false }
    expect((await cancel(order, kept)).body.message).toBe('The order is cancelled')
    const [cancelled] = await ordersOf(buyer)
    expect(cancelled).toMatchObject({ status: 'cancel' })
    expect(cancelled?.refunded).toBeUndefined()
    expect(await stockOf(product)).toBe(3)
    expect(await emailsOf(order)).toEqual(['order_confirmation'])
    expect((await cancel(order, { mails: false })).status).toBe(200)
    expect(await ordersOf(buyer)).toMatchObject([{ refunded: 25, stockReturned: true }])
    expect(await emailsOf(order)).toEqual(['order_confirmation'])
  })

  it('refunds what is left after a part, and says that its lines are those that are left', async () => {
    const { buyer, order } = await paid()
    const lines = [{ kind: 'product', position: 0, quantity: 1 }]
    const part = { reason: 'Cracked.', lines }
    await shop.post(`/payment/refund/${order._id}`, { ...asAdmin(), body: part })
    await cancel(order)
    const [{ refunds } = {}] = await ordersOf(buyer)
    expect(refunds).toMatchObject([
      { amount: 12.5, lines: [{ quantity: 1 }] },
      { amount: 12.5, lines: [{ quantity: 1 }] },
    ])
  })

  it('releases stock and coupon of an unpaid order, and refunds a part that came in', async () => {
    const coupon = await addCoupon(shop.db, { code: 'TEN', max_uses: 1 })
    const { buyer, product, order } = await ordered({ couponCodes: ['TEN'], amount: 1125 })
    await receive(order, { amount: 5 })
    expect((await cancel(order, { returnStock: false })).body.message).toBe(
      'The order is cancelled. Send ₹5.00 back to the customer: it counts as refunded.',
    )
    expect(await stockOf(product)).toBe(3)
    expect(await usesOf(shop, coupon)).toBe(0)
    expect(await ordersOf(buyer)).toMatchObject([{ status: 'cancel', refunded: 5 }])
    await issueInvoices(shop.db)
  })

  it('is not done at all when the money cannot be refunded now', async () => {
    const { buyer, product, order } = await paid()
    await shop.db
      .updateTable('captures')
      .set({ provider: 'razorpay' })
      .where('provider_payment_id', '=', moneyId(order))
      .execute()
    const payment = shop.db
      .updateTable('payments')
      .where('provider_order_id', '=', order.payment.razorpay_order_id)
    await payment.set({ provider: 'razorpay' }).execute()
    expect((await cancel(order)).status).toBe(409)
    expect(await ordersOf(buyer)).toMatchObject([{ status: 'Not Process' }])
    expect(await stockOf(product)).toBe(3)
    expect((await cancel(order, { refund: false })).status).toBe(200)
    await payment.set({ provider: 'sandbox' }).execute()
  })

  it('refuses an unknown order, and a customer', async () => {
    const { buyer, order } = await paid()
    expect((await cancel({ _id: buyer.id })).status).toBe(404)
    const { token } = buyer
    expect(
      (await shop.post(`/payment/cancel-order/${order._id}`, { token, body: {} })).status,
    ).toBe(403)
  })
})
