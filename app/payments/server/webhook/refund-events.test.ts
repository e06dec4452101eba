import { describe, expect, it } from 'vitest'
import { paymentContext } from '#tests/support/payment-context.ts'
import { paymentShop } from '#tests/support/payment-shop.ts'
import { moneyOf } from '#tests/support/payments.ts'
import { paymentOf, provider, refundReport, report } from '#tests/support/webhook.ts'
import { processRefunds } from '../refunds/refunds.ts'

const { shop, ordersOf, stockOf, started, startedTooLate, expireReservations } = paymentShop()
const { tell } = provider(shop)

describe('a webhook of a refund', () => {
  it('that comes before the payment’s own prevents its order', async () => {
    const { buyer, product, id } = await started()
    const payment = paymentOf(id)
    await tell(refundReport('refund.processed', payment))
    await tell(report('payment.captured', payment))
    expect(await ordersOf(buyer)).toEqual([])
    expect(await moneyOf(shop, id)).toMatchObject([{ state: 'refunded' }])
    await expireReservations()
    expect(await stockOf(product)).toBe(10)
  })

  it('that comes before that of a second payment is of this one only', async () => {
    const { buyer, id } = await started()
    const second = paymentOf(id)
    await tell(report('payment.captured', paymentOf(id)))
    await tell(refundReport('refund.processed', second))
    await tell(report('payment.captured', second))
    expect(await moneyOf(shop, id)).toMatchObject([
      { state: 'paid' },
      { state: 'refunded', provider_payment_id: second.id },
    ])
    expect(await ordersOf(buyer)).toHaveLength(1)
  })

  it('of money of a wrong amount leaves its payment open', async () => {
    const { buyer, id } = await started()
    const wrong = paymentOf(id, undefined, { amount: 1000 })
    await tell(report('payment.captured', wrong))
    await tell(refundReport('refund.processed', wrong))
    expect(await moneyOf(shop, id)).toMatchObject([
      { state: 'refunded', provider_payment_id: wrong.id },
    ])
    await tell(report('payment.captured', paymentOf(id)))
    expect(await ordersOf(buyer)).toHaveLength(1)
  })

  it('of an order is noted; a failure after the refund changes nothing', async () => {
    const paid = await started()
    const due = await startedTooLate()
    const duePayment = paymentOf(due.id)
    const payment = paymentOf(paid.id)
    await tell(report('payment.captured', payment))
    await tell(refundReport('refund.processed', payment))
    await tell(report('payment.captured', duePayment))
    await processRefunds(shop.db, paymentContext(shop))
    await tell(refundReport('refund.failed', duePayment))
    expect(await moneyOf(shop, paid.id)).toMatchObject([{ state: 'refunded_elsewhere' }])
    expect(await moneyOf(shop, due.id)).toMatchObject([{ state: 'refunded' }])
    expect(await ordersOf(paid.buyer)).toHaveLength(1)
  })
})
