import { beforeEach, describe, expect, it } from 'vitest'
import { refuseUnmatched } from '#app/payments/server/refunds/refunds.ts'
import { addPerson } from '../support/accounts.ts'
import { razorpayShop } from '../support/payment-shop.ts'
import { paymentOf, provider, report } from '../support/webhook.ts'

const {
  shop,
  start,
  verify,
  ordersOf,
  started,
  startedTooLate,
  statesOf,
  inNeed,
  refund,
  setStatus,
  endPolls,
  razorpay,
  context,
  runJobs,
} = await razorpayShop({ hasWebhooks: false })
const { account } = razorpay
account.rules.takesSecondPayments = true
const { tell } = provider(shop)

beforeEach(async () => {
  account.rules.canCapture = true
  await endPolls()
})

async function soldOut() {
  const { buyer, id } = await startedTooLate()
  const proof = razorpay.pay(id)
  expect((await verify(buyer, proof)).status).toBe(409)
  return { buyer, id, proof, paymentId: proof.razorpay_payment_id }
}

const statusOf = (id: string) => account.paymentsOf(id).map(({ status }) => status)

function becomes(paymentId: string, status: 'failed' | 'captured') {
  const captured = status === 'captured'
  Object.assign(account.paymentWith(paymentId), { status, captured })
}

describe('money that buys nothing and is only authorised', () => {
  it('is not taken, and is done with when it never came in', async () => {
    const before = await inNeed()
    const { buyer, id, proof, paymentId } = await soldOut()
    await runJobs()
    expect(statusOf(id)).toEqual(['authorized'])
    becomes(paymentId, 'failed')
    await runJobs()
    expect([await statesOf(id), await inNeed()]).toEqual([[], before])
    expect(await statesOf(id, '?state=voided')).toEqual(['voided'])
    expect((await verify(buyer, proof)).body.message).toBe(
      'Clay cup is sold out: 0 left. It was released: you were not charged.',
    )
    const { body } = await shop.get('/payment/refunds', { token: buyer.token })
    expect(body).toMatchObject([
      { state: 'voided', reason: expect.stringContaining('It was released: you were not charged') },
    ])
  })

  it('goes back when it comes in although it was taken to never come', async () => {
    const { id, paymentId } = await soldOut()
    becomes(paymentId, 'failed')
    await runJobs()
    becomes(paymentId, 'captured')
    await runJobs()
    expect(account.refundedOf(paymentId)).toBe(1250)
    expect(await statesOf(id, '?state=refunded')).toEqual(['refunded'])
  })

  it('is done with, too, when nobody has claimed it', async () => {
    const buyer = await addPerson(shop.db)
    const { body } = await start(buyer, { amount: 1250 })
    const proof = razorpay.pay(body.id)
    await verify(buyer, proof, [])
    await runJobs()
    expect(statusOf(body.id)).toEqual(['authorized'])
    becomes(proof.razorpay_payment_id, 'failed')
    await runJobs()
    await refuseUnmatched(shop.db, { ...context(), reservationMinutes: 0 })
    expect(await statesOf(body.id)).not.toContain('unmatched')
    expect((await verify(buyer, proof, [])).body.message).toBe('Payment verification failed')
  })
})

describe('an order that is refunded before its money came in', () => {
  it('has its money captured, and then refunded', async () => {
    const { buyer, id } = await started()
    const { razorpay_payment_id: paid, ...proof } = razorpay.pay(id)
    const { order } = (await verify(buyer, { ...proof, razorpay_payment_id: paid })).body
    expect((await refund(order, { amount: 5 })).status).toBe(200)
    expect([statusOf(id), account.refundedOf(paid)]).toEqual([['captured'], 500])
  })

  it('cannot be refunded while its money cannot be captured, nor when the bank has released it', async () => {
    const { buyer, id } = await started()
    const proof = razorpay.pay(id)
    const { order } = (await verify(buyer, proof)).body
    account.rules.canCapture = false
    expect((await refund(order)).status).toBe(409)
    expect(await statesOf(id)).toEqual(['capture_pending'])
    razorpay.release(proof.razorpay_payment_id)
    expect((await refund(order)).status).toBe(409)
    expect(await statesOf(id)).toEqual(['expired'])
    await setStatus(order, 'cancel')
    expect(await statesOf(id)).toEqual([])
  })
})

describe('an order that was cancelled before its money came in', () => {
  async function cancelled() {
    const { buyer, id } = await started()
    const proof = razorpay.pay(id)
    const { order } = (await verify(buyer, proof)).body
    await setStatus(order, 'cancel')
    return { id, order, paymentId: proof.razorpay_payment_id }
  }

  it('has nothing captured', async () => {
    const { id } = await cancelled()
    await runJobs()
    expect(statusOf(id)).toEqual(['authorized'])
    expect(await statesOf(id)).toEqual([])
  })

  it('is listed until the money is back that came in all the same', async () => {
    const before = await inNeed()
    const { id, order, paymentId } = await cancelled()
    account.capture(paymentId)
    await tell(report('payment.captured', paymentOf(id, paymentId)))
    expect([await statesOf(id), await inNeed()]).toEqual([['paid_cancelled'], before + 1])
    await refund(order)
    await runJobs()
    expect([await statesOf(id), await inNeed()]).toEqual([[], before])
  })
})

describe('a second payment of an order that is only promised', () => {
  it('is left to its bank', async () => {
    const { buyer, id } = await started()
    const first = razorpay.pay(id)
    const second = razorpay.pay(id)
    await runJobs()
    expect(await ordersOf(buyer)).toHaveLength(1)
    await runJobs()
    // the newest is listed first
    expect(statusOf(id)).toEqual(['authorized', 'captured'])
    expect(first.razorpay_payment_id).not.toBe(second.razorpay_payment_id)
  })
})
