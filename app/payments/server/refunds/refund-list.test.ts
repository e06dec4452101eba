import { describe, expect, it } from 'vitest'
import type { Refund } from '#app/payments/refund-contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addOrder } from '#tests/support/orders.ts'
import { paymentContext, refundOf } from '#tests/support/payment-context.ts'
import { paymentShop } from '#tests/support/payment-shop.ts'
import { payAndVerify, signedPayment } from '#tests/support/payments.ts'
import { paymentOf, provider, report } from '#tests/support/webhook.ts'
import { reconcile } from '../reconciliation/reconciliation.ts'
import { processRefunds } from './refunds.ts'

const { shop, verify, startedTooLate, makeDue } = paymentShop()
const { tell } = provider(shop)

const tooLate = () => startedTooLate({ name: 'Copper pot' })

const refundsOf = async ({ token }: Person, query = '') => {
  const { status, body, headers } = await shop.get<Refund[]>(`/payment/refunds${query}`, { token })
  expect(status).toBe(200)
  return { refunds: body, total: headers['x-total-count'] }
}

describe('GET /payment/refunds', () => {
  it('is empty where every payment made its order, or none came in', async () => {
    const { buyer } = await tooLate()
    await addOrder(shop.db, buyer)
    expect(await refundsOf(buyer)).toEqual({ refunds: [], total: '0' })
  })

  it('has what only the webhook reported, its amount and why', async () => {
    const { buyer, id } = await tooLate()
    const payment = paymentOf(id)
    await tell(report('payment.captured', payment))
    await processRefunds(shop.db, paymentContext(shop))
    expect(await refundsOf(buyer)).toEqual({
      total: '1',
      refunds: [
        {
          _id: payment.id,
          state: 'refunded',
          amount: 12.5,
          currency: 'INR',
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
          reason: 'Copper pot is sold out: 0 left. Your payment was refunded.',
        },
      ],
    })
  })

  it('has what only the reconciliation has found', async () => {
    const { buyer, id } = await tooLate()
    await shop.post('/payment/sandbox/pay', { body: { razorpay_order_id: id } })
    await makeDue(id)
    await reconcile(shop.db, paymentContext(shop))
    await processRefunds(shop.db, paymentContext(shop))
    expect((await refundsOf(buyer)).refunds).toMatchObject([{ state: 'refunded', amount: 12.5 }])
  })

  it.each([
    [
      'refund_pending',
      'Your payment will be refunded.',
      () => Promise.reject(new Error('no answer')),
    ],
    ['refunding', 'Your refund is on its way.', async () => refundOf(0, { pendingMinor: 1250 })],
    ['refunded', 'Your payment was refunded.', async () => refundOf(1250)],
  ])('says how far it is: %s', async (state, way, refund) => {
    const { buyer, id } = await tooLate()
    const proof = signedPayment(id)
    const paying = payAndVerify(shop.db, paymentContext(shop, { refund }), {
      buyerId: buyer.id,
      proof,
    })
    await expect(paying).rejects.toMatchObject({ code: 'out_of_stock' })
    const reason = `Copper pot is sold out: 0 left. ${way}`
    expect((await refundsOf(buyer)).refunds).toMatchObject([{ state, reason }])
  })

  it('has all of one payment, newest first, and nothing of anybody else', async () => {
    const { buyer, id } = await tooLate()
    const stranger = await addPerson(shop.db)
    const proofs = [signedPayment(id), signedPayment(id)]
    for (const proof of proofs) await verify(buyer, proof)
    const ids = proofs.map(({ razorpay_payment_id }) => razorpay_payment_id)
    const { refunds, total } = await refundsOf(buyer)
    expect([refunds.map(({ _id }) => _id), total]).toEqual([ids.reverse(), '2'])
    expect(await refundsOf(buyer, '?page=2')).toEqual({ refunds: [], total: '2' })
    expect(await refundsOf(stranger)).toEqual({ refunds: [], total: '0' })
  })
})
