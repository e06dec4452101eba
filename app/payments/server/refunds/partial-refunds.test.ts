import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { admin as adminActor } from '#app/shared/server/actor/actor.ts'
import { razorpayShop } from '#tests/support/payment-shop.ts'
import { giveUpRefund, refundOrder } from '../admin/refund-order.ts'
import { reconcile } from '../reconciliation/reconciliation.ts'
import { processRefunds } from './refunds.ts'

const {
  shop,
  started,
  verify,
  ordersOf,
  admin,
  listed,
  statesOf,
  makeDue,
  context,
  razorpay: bank,
} = await razorpayShop({ hasWebhooks: true })
const { webhooks, network, account, refunding } = bank

const FOR_EVER = Number.POSITIVE_INFINITY

beforeEach(() => {
  webhooks.setDelivery({})
  Object.assign(refunding, { failing: 0, staysPending: false })
  bank.lagLists(0)
})
/** An order of 12.50 of which 2.00 are refunded; the webhook about them is late. */
async function partlyRefunded() {
  const { buyer, id: providerOrder } = await started()
  const proof = bank.pay(providerOrder)
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
  refundOrder(shop.db, used, adminActor({ userId: admin().id }), {
    orderId,
    amountMinor,
    reason: 'The cup was cracked.',
    returnsStock: false,
  })

const amountsOf = (id: string) => account.refundsOf(id).map(({ amount }) => amount)

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
    expect(await listed(id)).toMatchObject([{ state: 'refunded_elsewhere', refunded: 6 }])
  })
})

describe('a completed refund that the provider does not have', () => {
  const poll = async (id: string) => {
    await makeDue(id)
    await reconcile(shop.db, context())
    return statesOf(id)
  }
  const letAnHourPass = (id: string) =>
    shop.db
      .updateTable('refunds')
      .from('captures')
      .set({ done_at: sql<Date>`done_at - interval '1 hour'` })
      .whereRef('captures.id', '=', 'capture_id')
      .where('provider_payment_id', '=', id)
      .where('done_at', 'is not', null)
      .execute()

  it('needs attention an hour later, until its list does not lag behind any more', async () => {
    const { id } = await partlyRefunded()
    bank.lagLists(FOR_EVER)
    expect(await poll(id)).toEqual([])
    await letAnHourPass(id)
    expect(await poll(id)).toEqual(['refund_missing'])
    bank.lagLists(0)
    expect(await poll(id)).toEqual([])
  })

  it('needs attention when it has failed there, until it is made again', async () => {
    const { id } = await partlyRefunded()
    const [made] = account.refundsOf(id)
    if (!made) throw new Error('There is no refund.')
    made.status = 'pending'
    webhooks.setDelivery({ lost: 1 })
    bank.endRefund(made, 'failed')
    await letAnHourPass(id)
    expect(await poll(id)).toEqual(['refund_missing'])
    bank.refundElsewhere(id, 200)
    expect(await poll(id)).toEqual([])
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
    const givenUp = giveUpRefund(shop.db, context(), adminActor({ userId: admin().id }), orderId)
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
