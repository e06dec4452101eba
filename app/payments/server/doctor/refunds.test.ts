import { expect, it } from 'vitest'
import { razorpayShop } from '#tests/support/payment-shop.ts'
import { examineRefunds } from './refunds.ts'

const { shop, started, verify, runJobs, razorpay } = await razorpayShop({ hasWebhooks: true })

it('names the payments of which the provider has refunded another amount', async () => {
  const paid = async () => {
    const { buyer, id } = await started()
    const proof = razorpay.pay(id)
    await razorpay.webhooks.whenDone()
    await verify(buyer, proof)
    await runJobs()
    return proof.razorpay_payment_id
  }
  const examined = () => examineRefunds(shop.db, shop.config)
  await paid()
  const id = await paid()
  expect(await examined()).toMatchObject([{ state: 'ok', about: 'Refunds' }])
  razorpay.webhooks.setDelivery({ lost: 1 })
  razorpay.refundElsewhere(id, 500)
  expect(await examined()).toMatchObject([
    { state: 'problem', about: 'Refunds', found: expect.stringContaining(id) },
  ])
  razorpay.network.failing.kind = 'error'
  expect(await examined()).toMatchObject([{ state: 'warning', about: 'Refunds' }])
})
