import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { razorpayShop } from '#tests/support/payment-shop.ts'
import { purchases } from '#tests/support/payments.ts'
import { shopOn } from '#tests/support/shop.ts'
import { HOOK_SECRET, paymentOf, provider, report } from '#tests/support/webhook.ts'

const { shop, started, razorpay } = await razorpayShop({ hasWebhooks: false })

type Rotated = Awaited<ReturnType<typeof shopOn>>

let rotated: Rotated
let verify: ReturnType<typeof purchases>['verify']
beforeAll(async () => {
  const keys = { RAZORPAY_KEY_ID: 'rzp_test_next', RAZORPAY_KEY_SECRET: 'the-next-secret' }
  rotated = await shopOn(shop.db, {
    ...razorpay.settings,
    RAZORPAY_WEBHOOK_SECRET: HOOK_SECRET,
    ...keys,
  })
  verify = purchases({ ...shop, ...rotated }).verify
})
afterAll(() => rotated.app.close())

/** A payment that was started and paid before the key was replaced. */
async function paidBefore() {
  const { buyer, id } = await started()
  return { buyer, id, proof: razorpay.pay(id) }
}

describe('a proof that the former key signed', () => {
  it('is not confirmed until the webhook has reported the payment, and has its order then', async () => {
    const { buyer, id, proof } = await paidBefore()
    const calls = razorpay.requests.length
    expect(await verify(buyer, proof)).toMatchObject({
      status: 503,
      body: { message: 'Your payment is not confirmed yet. Please do not pay again.' },
    })
    const payment = paymentOf(id, proof.razorpay_payment_id)
    await provider({ ...shop, ...rotated }).tell(report('payment.captured', payment))
    expect(await verify(buyer, proof)).toMatchObject({
      status: 200,
      body: { order: { payment: { razorpay_order_id: id } } },
    })
    expect(razorpay.requests.length).toBe(calls)
  })

  it('makes no order by itself, and is refused for another buyer or another payment', async () => {
    const { proof } = await paidBefore()
    expect((await verify(await addPerson(shop.db), proof)).status).toBe(400)
    const other = await paidBefore()
    await provider({ ...shop, ...rotated }).tell(
      report('payment.captured', paymentOf(other.id, other.proof.razorpay_payment_id)),
    )
    const stolen = { ...proof, razorpay_payment_id: other.proof.razorpay_payment_id }
    expect((await verify(other.buyer, stolen)).status).toBe(400)
  })
})

it('a forged proof of a payment of the present key is refused at once', async () => {
  const { buyer, proof } = await paidBefore()
  const forged = { ...proof, razorpay_signature: 'forged' }
  const reply = await shop.post('/product/razorpay/verify', { token: buyer.token, body: forged })
  expect(reply).toMatchObject({ status: 400, body: { message: 'Payment verification failed' } })
})
