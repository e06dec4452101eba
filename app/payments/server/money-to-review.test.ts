/** Money that did not simply pay an order, at a provider that behaves as Razorpay does. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Order } from '#app/orders/contract.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { razorpayShop } from '#tests/support/payment-shop.ts'

const {
  shop,
  verify,
  ordersOf,
  started,
  asAdmin,
  listed,
  statesOf,
  inNeed,
  refund,
  resolve,
  setStatus,
  razorpay,
  runJobs,
} = await razorpayShop({ hasWebhooks: true })
const { account, webhooks } = razorpay

beforeEach(() => webhooks.setDelivery({}))

/** An order of 12.50 with captured money. */
async function bought() {
  const { buyer, id: orderId } = await started()
  const proof = razorpay.pay(orderId)
  await webhooks.whenDone()
  const { order } = (await verify(buyer, proof)).body
  await runJobs()
  return { buyer, order, id: proof.razorpay_payment_id }
}

const giveUp = ({ _id }: Order) => shop.post(`/payment/give-up-refund/${_id}`, asAdmin())

describe('a refund that the provider refuses', () => {
  const tooOld = 'Refund is not supported by the bank because the payment is more than 6 months old'

  async function refused() {
    const paid = await bought()
    account.backdate(paid.id, 200)
    const reply = await refund(paid.order, { amount: 5 })
    return { ...paid, reply }
  }

  it('answers with the sentence of the provider, which the list shows', async () => {
    const { id, buyer, reply } = await refused()
    expect([reply.status, reply.body]).toMatchObject([409, { code: 'conflict' }])
    expect(reply.body.message).toBe(
      `The provider refuses the refund: ${tooOld}. It is tried again until you give it up.`,
    )
    expect(await listed(id)).toMatchObject([{ state: 'refund_refused', lastError: tooOld }])
    const [order] = await ordersOf(buyer)
    expect(order?.refundPending).toBeUndefined()
  })

  it('is given up, and another refund can be made', async () => {
    const { id, order, buyer } = await refused()
    expect((await giveUp(order)).status).toBe(200)
    expect(await statesOf(id)).toEqual([])
    expect(await statesOf(id, '')).toEqual(['paid'])
    expect((await ordersOf(buyer))[0]).not.toHaveProperty('refundReason')
    expect((await giveUp(order)).status).toBe(409)
    account.backdate(id, -200)
    expect((await refund(order, { amount: 5 })).status).toBe(200)
    expect(await contradictionsIn(shop.db)).toEqual({})
  })

  it('cannot be given up while the provider may have made it', async () => {
    const { id, order } = await bought()
    razorpay.network.loseAnswer('refund')
    await refund(order, { amount: 5 })
    expect((await giveUp(order)).status).toBe(409)
    await runJobs()
    expect(account.refundsOf(id)).toHaveLength(1)
    expect((await giveUp(order)).status).toBe(409)
  })

  it('is found when the provider has made it although it was given up', async () => {
    const { id, order } = await refused()
    await giveUp(order)
    webhooks.setDelivery({ lost: 1 })
    account.backdate(id, -200)
    razorpay.refundElsewhere(id, 500)
    await runJobs()
    expect(await statesOf(id)).toEqual(['refunded_elsewhere'])
  })
})

describe('the smallest refund of the provider', () => {
  it('is asked for before a part or a rest is sent', async () => {
    const { id, order } = await bought()
    const part = await refund(order, { amount: 0.5 })
    expect([part.status, part.body.message]).toEqual([
      400,
      'The smallest amount that can be refunded is ₹1.00.',
    ])
    const rest = await refund(order, { amount: 12 })
    expect([rest.status, rest.body.message]).toEqual([
      400,
      '₹0.50 would be left, which could not be refunded. Refund all of ₹12.50, or at most ₹11.50.',
    ])
    expect((await refund(order, { amount: 10.005 })).status).toBe(400)
    expect(account.refundsOf(id)).toEqual([])
    expect((await refund(order, { amount: 11.5 })).status).toBe(200)
    expect((await refund(order)).status).toBe(200)
  })
})

describe('the money of a cancelled order', () => {
  it('needs attention until it is refunded, or somebody says why it is not', async () => {
    const { id, order } = await bought()
    const before = await inNeed()
    await setStatus(order, 'cancel')
    expect([await statesOf(id), await inNeed()]).toEqual([['paid_cancelled'], before + 1])
    await refund(order, { amount: 5 })
    expect(await statesOf(id)).toEqual(['paid_cancelled'])
    expect((await resolve(id)).status).toBe(200)
    expect([await statesOf(id), await inNeed()]).toEqual([[], before])
    expect(await statesOf(id, '?state=resolved')).toEqual(['resolved'])
    const other = await bought()
    await setStatus(other.order, 'cancel')
    await refund(other.order)
    expect([await statesOf(other.id), await inNeed()]).toEqual([[], before])
  })
})

describe('a dispute', () => {
  it('needs attention, and lets no refund be tried until it is won', async () => {
    const { id, order } = await bought()
    const { id: dispute } = account.dispute(id)
    await webhooks.whenDone()
    expect(await statesOf(id)).toEqual(['disputed'])
    expect((await refund(order)).status).toBe(409)
    account.endDispute(dispute, 'under_review')
    account.endDispute(dispute, 'won')
    await webhooks.whenDone()
    expect(await statesOf(id)).toEqual([])
    expect((await refund(order)).status).toBe(200)
  })

  it('takes the money back when it is lost, whatever comes late', async () => {
    const { id, order } = await bought()
    const { id: dispute } = account.dispute(id, 500)
    const opened = webhooks.newest('payment.dispute.created')
    account.endDispute(dispute, 'lost')
    await webhooks.whenDone()
    await webhooks.deliver(opened)
    expect(await statesOf(id)).toEqual(['dispute_lost'])
    const reply = await refund(order, { amount: 8 })
    expect([reply.status, reply.body.message]).toEqual([
      400,
      'Only ₹7.50 of this order is left to refund.',
    ])
    expect((await resolve(id)).status).toBe(200)
    expect(await statesOf(id)).toEqual([])
    expect(await contradictionsIn(shop.db)).toEqual({})
  })

  it('ends the refund that waits for it when it is lost', async () => {
    const { id, order } = await bought()
    razorpay.network.loseRequest('refund')
    await refund(order)
    const { id: dispute } = account.dispute(id)
    await webhooks.whenDone()
    await runJobs()
    expect(account.refundsOf(id)).toEqual([])
    account.endDispute(dispute, 'lost')
    await webhooks.whenDone()
    expect(await statesOf(id)).toEqual(['dispute_lost'])
    expect((await refund(order)).body.message).toBe(
      'All the money of this order is refunded already.',
    )
  })
})

describe('a refund in the dashboard of the provider', () => {
  it.each([1250, 500])('of %i needs attention, whether it is reported or polled', async (minor) => {
    const reported = await bought()
    razorpay.refundElsewhere(reported.id, minor)
    await webhooks.whenDone()
    const polled = await bought()
    webhooks.setDelivery({ lost: 1 })
    razorpay.refundElsewhere(polled.id, minor)
    await runJobs()
    for (const { id, buyer, order } of [reported, polled]) {
      expect(await listed(id)).toMatchObject([
        { state: 'refunded_elsewhere', refunded: minor / 100, order: { _id: order._id } },
      ])
      expect(await ordersOf(buyer)).toMatchObject([{ refunded: minor / 100 }])
      await resolve(id)
      expect(await statesOf(id)).toEqual([])
    }
  })
})

describe('money that was authorised and never captured', () => {
  it('does not count as refunded when the provider releases it', async () => {
    const { buyer, id } = await started()
    const proof = razorpay.authorise(id)
    await verify(buyer, proof)
    razorpay.release(proof.razorpay_payment_id)
    await webhooks.whenDone()
    expect(await listed(proof.razorpay_payment_id)).toMatchObject([
      { state: 'expired', refunded: 0 },
    ])
  })
})

describe('money for an order that the shop does not have', () => {
  const paidElsewhere = async () => {
    const order = account.createOrder({ amount: 4200, currency: 'INR' })
    const proof = razorpay.pay(order.id)
    await webhooks.whenDone()
    return proof.razorpay_payment_id
  }

  it('is kept and needs attention until it is resolved', async () => {
    const before = await inNeed()
    const id = await paidElsewhere()
    expect(await listed(id)).toMatchObject([{ state: 'unknown', amount: 42, buyer: null }])
    expect(await inNeed()).toBe(before + 1)
    expect(await statesOf(id, '')).toEqual(['unknown'])
    expect((await resolve(id)).status).toBe(200)
    expect([await inNeed(), await statesOf(id, '?state=resolved')]).toEqual([before, ['resolved']])
  })

  it('needs none when it was refunded at the provider', async () => {
    const id = await paidElsewhere()
    razorpay.refundElsewhere(id)
    await webhooks.whenDone()
    expect(await statesOf(id)).toEqual([])
  })
})
