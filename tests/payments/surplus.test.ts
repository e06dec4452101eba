/** Money that is not a payment's own, or no longer. */
import { beforeEach, describe, expect, it } from 'vitest'
import { processRefunds, refuseUnmatched } from '#app/payments/server/refunds/refunds.ts'
import { notFound } from '#app/shared/server/failure.ts'
import { addPerson } from '../support/accounts.ts'
import { razorpayShop } from '../support/payment-shop.ts'
import { cartOf, moneyOf } from '../support/payments.ts'
import { paymentOf, provider, report } from '../support/webhook.ts'

const {
  shop,
  start,
  verify,
  ordersOf,
  stockOf,
  cup,
  started,
  startedTooLate,
  listed,
  endPolls,
  razorpay,
  context,
  runJobs,
} = await razorpayShop({ hasWebhooks: false })
const { account } = razorpay
account.rules.takesSecondPayments = true
const { tell } = provider(shop)

beforeEach(endPolls)

/** A payment that was captured in the dashboard, whatever the shop wants. */
function payCaptured(id: string) {
  const proof = razorpay.pay(id)
  account.capture(proof.razorpay_payment_id)
  return proof
}

const isRefunded = ({ razorpay_payment_id: id }: { razorpay_payment_id: string }) =>
  account.paymentWith(id).status === 'refunded'

describe('a second payment', () => {
  it('is refused and released, and never captured', async () => {
    const { buyer, id } = await started()
    expect((await verify(buyer, razorpay.pay(id))).status).toBe(200)
    const second = razorpay.pay(id)
    expect((await verify(buyer, second)).status).toBe(400)
    await runJobs()
    expect(account.paymentWith(second.razorpay_payment_id).status).toBe('authorized')
    expect(await listed(id)).toEqual([])
    expect(await listed(id, '?state=voided')).toMatchObject([
      { _id: second.razorpay_payment_id, state: 'voided', nextAt: null },
    ])
    expect((await verify(buyer, second)).body.message).toBe(
      'Payment verification failed. It was released: you were not charged.',
    )
    expect(await ordersOf(buyer)).toHaveLength(1)
  })

  it('is refunded when it comes in after all', async () => {
    const { buyer, id } = await started()
    await verify(buyer, razorpay.pay(id))
    const second = razorpay.pay(id)
    await verify(buyer, second)
    const payment = account.paymentWith(second.razorpay_payment_id)
    payment.status = 'failed'
    await runJobs()
    Object.assign(payment, { status: 'captured', captured: true })
    await runJobs()
    await runJobs()
    expect(isRefunded(second)).toBe(true)
    expect(await listed(id, '?state=refunded')).toHaveLength(1)
  })
})

describe('a second payment whose refund is pending after its answer was lost', () => {
  it('is refunded once more when the bank cannot do it', async () => {
    const { buyer, id } = await started()
    expect((await verify(buyer, razorpay.pay(id))).status).toBe(200)
    const second = payCaptured(id)
    razorpay.refunding.staysPending = true
    razorpay.network.loseAnswer('refund')
    expect((await verify(buyer, second)).status).toBe(400)
    await runJobs()
    await runJobs()
    razorpay.refunding.staysPending = false
    for (const refund of account.refundsOf(second.razorpay_payment_id))
      razorpay.endRefund(refund, 'failed')
    await runJobs()
    await runJobs()
    const made = account.refundsOf(second.razorpay_payment_id)
    expect(made.map(({ status }) => status)).toEqual(['processed', 'failed'])
    expect(await listed(id, '?state=refunded')).toHaveLength(1)
  })
})

describe('a payment that was refunded', () => {
  it('is polled on, and a second payment of its order is refunded, too', async () => {
    const { buyer, id } = await startedTooLate()
    const first = payCaptured(id)
    expect((await verify(buyer, first)).status).toBe(409)
    const second = payCaptured(id)
    await runJobs()
    expect([first, second].map(isRefunded)).toEqual([true, true])
    expect(await ordersOf(buyer)).toEqual([])
  })
})

describe('two payments of an order that was started without a cart', () => {
  it('leave the first to be claimed, and release the second', async () => {
    const buyer = await addPerson(shop.db)
    const { body } = await start(buyer, { amount: 1250 })
    const [first, second] = [razorpay.pay(body.id), razorpay.pay(body.id)]
    expect((await verify(buyer, first, [])).status).toBe(400)
    expect((await verify(buyer, second, [])).status).toBe(400)
    await runJobs()
    expect(account.paymentsOf(body.id).map(({ status }) => status)).toEqual([
      'authorized',
      'authorized',
    ])
    const product = await cup()
    expect((await verify(buyer, first, cartOf(product))).status).toBe(200)
    expect(await moneyOf(shop, body.id)).toMatchObject([
      { state: 'paid', provider_payment_id: first.razorpay_payment_id },
      { state: 'voided', provider_payment_id: second.razorpay_payment_id },
    ])
  })
})

describe('money of an amount that the provider does not explain', () => {
  const lookUp = () => Promise.reject(notFound('The order is being moved'))
  const unexplained = async (id: string) => {
    const { razorpay_payment_id: paid } = razorpay.pay(id, { fee: 30 })
    account.capture(paid)
    await tell(report('payment.captured', paymentOf(id, paid, { amount: 1280 })))
    await runJobs(context(() => ({ lookUp })))
    return paid
  }

  it('is refunded when the polls have ended, and its reserved stock is free again', async () => {
    const { buyer, product, id } = await started()
    const paid = await unexplained(id)
    expect(await listed(id)).toMatchObject([{ state: 'unmatched', amount: 12.8 }])
    await endPolls()
    await refuseUnmatched(shop.db, { ...context(), reservationMinutes: 0 })
    await processRefunds(shop.db, context())
    expect(account.refundedOf(paid)).toBe(1280)
    expect([await stockOf(product), await ordersOf(buyer)]).toEqual([10, []])
  })

  it('is a surplus when the right amount comes in meanwhile', async () => {
    const { buyer, id } = await started()
    const paid = await unexplained(id)
    expect((await verify(buyer, razorpay.pay(id))).status).toBe(200)
    await runJobs()
    expect(account.refundedOf(paid)).toBe(1280)
    expect(await listed(id, '?state=refunded')).toMatchObject([{ amount: 12.8, refunded: 12.8 }])
    expect(await ordersOf(buyer)).toHaveLength(1)
  })
})
