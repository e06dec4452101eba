import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ListedPayment } from '#app/payments/admin-contract.ts'
import { admin as adminActor } from '#app/shared/server/actor/actor.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { type Replaced, razorpayContext } from '#tests/support/payment-context.ts'
import { cartOf, purchases } from '#tests/support/payments.ts'
import { startFakeRazorpay } from '#tests/support/razorpay/fake-razorpay.ts'
import { testShop } from '#tests/support/shop.ts'
import { giveUpRefund, refundOrder } from '../admin/refund-order.ts'
import { reconcile } from '../reconciliation/reconciliation.ts'
import { processRefunds } from './refund-job.ts'

let address = ''
const bank = await startFakeRazorpay(() => address)
const shop = testShop(bank.settings)
const { start, verify, ordersOf } = purchases(shop)
const { webhooks, network, account, refunding } = bank

const FOR_EVER = Number.POSITIVE_INFINITY

let category: { id: string }
let admin: Person

beforeAll(async () => {
  category = await addCategory(shop.db, 'Kitchen')
  admin = await addPerson(shop.db, { admin: true })
  address = await shop.app.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(() => {
  webhooks.setDelivery({})
  Object.assign(refunding, { failing: 0, staysPending: false })
  bank.lagLists(0)
})
afterAll(() => bank.close())

/** The context of the jobs. */
const context = (replaced?: Replaced) => razorpayContext(shop, bank, replaced)

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
  const event = webhooks.newest('refund.processed')
  const late = () => webhooks.deliver(event)
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

/** The payment where it needs attention. */
const listed = async (id: string) => {
  const path = '/payment/payments?state=needs_attention'
  const { body } = await shop.get<ListedPayment[]>(path, { token: admin.token })
  return body.find(({ _id }) => _id === id)
}

const amountsOf = (id: string) => account.refundsOf(id).map(({ amount }) => amount)

describe('two refunds of one order in parts', () => {
  it('are sent once each when the late webhook of the first comes during the second', async () => {
    const { buyer, id, orderId, late } = await partlyRefunded()
    const held = network.hold('refund', 'before')
    const second = refundPart(orderId, 300)
    await held.arrived
    await late()
    await processRefunds(shop.db, context())
    held.release()
    await second
    await webhooks.whenDone()
    expect(amountsOf(id)).toEqual([300, 200])
    expect(await ordersOf(buyer)).toMatchObject([{ refunded: 5 }])
  })

  it('are sent once each when the list of the provider lags behind and an answer is lost', async () => {
    const { id, orderId } = await partlyRefunded()
    bank.lagLists(FOR_EVER)
    const lossy = context((provider) => ({
      refund: (...request) =>
        provider.refund(...request).then(() => Promise.reject(new Error('cut'))),
    }))
    await refundPart(orderId, 300, lossy)
    await makeDue(id)
    await processRefunds(shop.db, context())
    bank.lagLists(0)
    await makeDue(id)
    await processRefunds(shop.db, context())
    expect(amountsOf(id)).toEqual([300, 200])
  })
})

describe('a refund whose answer is lost', () => {
  it('is made once when the list of the provider has a part of the dashboard, and lacks this one', async () => {
    const { id, orderId } = await partlyRefunded()
    network.loseAnswer('refund')
    await refundPart(orderId, 300)
    webhooks.setDelivery({ lost: 1 })
    bank.refundElsewhere(id, 100)
    for (const lacking of account.refundsOf(id).filter(({ amount }) => amount === 300)) {
      account.lists.lacking.add(lacking)
      await makeDue(id)
      await processRefunds(shop.db, context())
      account.lists.lacking.delete(lacking)
    }
    await makeDue(id)
    await processRefunds(shop.db, context())
    expect(amountsOf(id)).toEqual([100, 300, 200])
    expect(await listed(id)).toMatchObject({ state: 'refunded_elsewhere', refunded: 6 })
  })
})

describe('a completed refund that the provider does not have', () => {
  const poll = async (id: string) => {
    await makeDue(id)
    await reconcile(shop.db, context())
    return (await listed(id))?.state
  }
  const letAnHourPass = (id: string) =>
    shop.db
      .updateTable('payments')
      .set({ refunded_at: sql<Date>`refunded_at - interval '1 hour'` })
      .where('provider_payment_id', '=', id)
      .execute()

  it('needs attention an hour later, until its list does not lag behind any more', async () => {
    const { id } = await partlyRefunded()
    bank.lagLists(FOR_EVER)
    expect(await poll(id)).toBeUndefined()
    await letAnHourPass(id)
    expect(await poll(id)).toBe('refund_missing')
    bank.lagLists(0)
    expect(await poll(id)).toBeUndefined()
  })

  it('needs attention when it has failed there, until it is made again', async () => {
    const { id } = await partlyRefunded()
    const [made] = account.refundsOf(id)
    if (!made) throw new Error('There is no refund.')
    made.status = 'pending'
    webhooks.setDelivery({ lost: 1 })
    bank.endRefund(made, 'failed')
    await letAnHourPass(id)
    expect(await poll(id)).toBe('refund_missing')
    bank.refundElsewhere(id, 200)
    expect(await poll(id)).toBeUndefined()
  })
})

describe('a refused refund that is tried again', () => {
  it('cannot be given up while its request is in flight', async () => {
    const { id, orderId } = await partlyRefunded()
    network.refuse('refund', 400, 'Your account does not have enough balance.')
    await expect(refundPart(orderId, 300)).rejects.toThrow('enough balance')
    await makeDue(id)
    const held = network.hold('refund', 'before')
    const retried = processRefunds(shop.db, context())
    await held.arrived
    const givenUp = giveUpRefund(shop.db, context(), adminActor({ userId: admin.id }), orderId)
    await expect(givenUp).rejects.toThrow('Only a refund that the provider has refused')
    held.release()
    await retried
    expect(amountsOf(id)).toEqual([300, 200])
  })
})

describe('an accepted refund that the list of the provider does not have yet', () => {
  it('is polled, and not sent again', async () => {
    const { buyer, id, orderId } = await partlyRefunded()
    refunding.staysPending = true
    bank.lagLists(FOR_EVER)
    await refundPart(orderId, 300)
    for (const lag of [FOR_EVER, 0]) {
      bank.lagLists(lag)
      await makeDue(id)
      await processRefunds(shop.db, context())
    }
    expect(amountsOf(id)).toEqual([300, 200])
    const [last] = account.refundsOf(id)
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
    await expect(refundPart(orderId, 300)).rejects.toThrow('The provider refuses the refund')
    refunding.failing = 0
    await makeDue(id)
    await processRefunds(shop.db, context())
    expect(account.refundsOf(id).map(({ amount, status }) => [amount, status])).toEqual([
      [300, 'processed'],
      [300, 'failed'],
      [200, 'processed'],
    ])
  })
})
