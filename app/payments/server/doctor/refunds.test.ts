import { afterAll, beforeAll, expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { cartOf, purchases } from '#tests/support/payments.ts'
import { startFakeRazorpay } from '#tests/support/razorpay/fake-razorpay.ts'
import { testShop } from '#tests/support/shop.ts'
import { examineRefunds } from './refunds.ts'

let address = ''
const razorpay = await startFakeRazorpay(() => address)
const shop = testShop(razorpay.settings)
const { start, verify } = purchases(shop)

beforeAll(async () => {
  address = await shop.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => razorpay.close())

it('names the payments of which the provider has refunded another amount', async () => {
  const category = await addCategory(shop.db, 'Kitchen')
  const product = await addProduct(shop.db, { category })
  const paid = async () => {
    const buyer = await addPerson(shop.db)
    const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
    const proof = razorpay.pay(body.id)
    await razorpay.webhooks.whenDone()
    await verify(buyer, proof)
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
