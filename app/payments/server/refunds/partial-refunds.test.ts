import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { admin as adminActor } from '#app/shared/server/actor/actor.ts'
import { startFakeRazorpay } from '#tests/faults/fake-razorpay.ts'
import { seededRandom } from '#tests/faults/random.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { paymentContext } from '#tests/support/payment-context.ts'
import { cartOf, purchases } from '#tests/support/payments.ts'
import { testShop } from '#tests/support/shop.ts'
import { refundOrder } from '../admin/refund-order.ts'
import type { PaymentProvider } from '../providers/provider.ts'
import { razorpay } from '../providers/razorpay.ts'
import { processRefunds } from '../reconciliation/refund-job.ts'

let address = ''
const bank = await startFakeRazorpay(() => address, seededRandom(1))
const shop = testShop(bank.settings)
const { start, verify, ordersOf } = purchases(shop)
const { webhooks, state, refunding } = bank

let category: { id: string }
let admin: Person

beforeAll(async () => {
  category = await addCategory(shop.db, 'Kitchen')
  admin = await addPerson(shop.db, { admin: true })
  address = await shop.app.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(() => {
  webhooks.setDelivery({})
  Object.assign(refunding, { failing: 0, staysPending: false, listLags: false })
})
afterAll(() => bank.close())

/** The context of the jobs, with some functions of the provider replaced. */
function context(replaced: (provider: PaymentProvider) => Partial<PaymentProvider> = () => ({})) {
  const { log, ...rules } = paymentContext(shop)
  const { RAZORPAY_KEY_ID: keyId, RAZORPAY_KEY_SECRET: keySecret } = bank.settings
  const provider = razorpay({ keyId, keySecret, apiUrl: bank.settings.RAZORPAY_API_URL, log })
  return { ...rules, log, provider: { ...provider, ...replaced(provider) } }
}

/** An order of 12.50 of which 2.00 are refunded; the webhook about them is late. */
async function partlyRefunded() {
  const buyer = await addPerson(shop.db)
  const product = await addProduct(shop.db, { category })
  const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
  const proof = bank.pay(body.id)
  const { order } = (await verify(buyer, proof)).body
  const id = proof.razorpay_payment_id
  webhooks.setDelivery({ lost: 1 })
  await refundPart(order._id, 200)
  webhooks.setDelivery({})
  const late = async () => {
    const payment = state.payments.get(id)
    const [first] = state.refundsOf(id).toReversed()
    if (payment && first) webhooks.report('refund.processed', payment, first)
    await webhooks.whenDone()
  }
  return { buyer, id, orderId: order._id, late }
}

const refundPart = (orderId: string, amountMinor: number, used = context()) =>
  refundOrder(shop.db, used, adminActor({ userId: admin.id }), {
    orderId,
    amountMinor,
    reason: 'The cup was cracked.',
    returnsStock: false,
  })

const makeDue = (id: string) =>
  shop.db
    .updateTable('payments')
    .set({ next_attempt_at: new Date(0) })
    .where('provider_payment_id', '=', id)
    .execute()

const amountsOf = (id: string) => state.refundsOf(id).map(({ amount }) => amount)

describe('two refunds of one order in parts', () => {
  it('are sent once each when the late webhook of the first comes during the second', async () => {
    const { buyer, id, orderId, late } = await partlyRefunded()
    refunding.before = async () => {
      refunding.before = async () => {}
      await late()
      await processRefunds(shop.db, context())
    }
    await refundPart(orderId, 300)
    await webhooks.whenDone()
    expect(amountsOf(id)).toEqual([300, 200])
    expect(await ordersOf(buyer)).toMatchObject([{ refunded: 5 }])
  })

  it('are sent once each when the list of the provider lags behind and an answer is lost', async () => {
    const { id, orderId } = await partlyRefunded()
    refunding.listLags = true
    const lossy = context((provider) => ({
      refund: (...request) =>
        provider.refund(...request).then(() => Promise.reject(new Error('cut'))),
    }))
    await refundPart(orderId, 300, lossy)
    await makeDue(id)
    await processRefunds(shop.db, context())
    refunding.listLags = false
    await makeDue(id)
    await processRefunds(shop.db, context())
    expect(amountsOf(id)).toEqual([300, 200])
  })
})

describe('an accepted refund that the list of the provider does not have yet', () => {
  it('is polled, and not sent again', async () => {
    const { buyer, id, orderId } = await partlyRefunded()
    Object.assign(refunding, { staysPending: true, listLags: true })
    await refundPart(orderId, 300)
    for (const lags of [true, false]) {
      refunding.listLags = lags
      await makeDue(id)
      await processRefunds(shop.db, context())
    }
    expect(amountsOf(id)).toEqual([300, 200])
    const [last] = state.refundsOf(id)
    if (last) bank.endRefund(last, 'processed')
    await webhooks.whenDone()
    await processRefunds(shop.db, context())
    expect(await ordersOf(buyer)).toMatchObject([{ refunded: 5 }])
  })
})

describe('the idempotency key of a refund', () => {
  it('is another one after the refund failed at the provider', async () => {
    const { id, orderId } = await partlyRefunded()
    refunding.failing = 1
    await refundPart(orderId, 300)
    refunding.failing = 0
    await makeDue(id)
    await processRefunds(shop.db, context())
    expect(state.refundsOf(id).map(({ amount, status }) => [amount, status])).toEqual([
      [300, 'processed'],
      [300, 'failed'],
      [200, 'processed'],
    ])
  })
})
