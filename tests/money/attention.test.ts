/** Money that needs somebody, in a shop as `npm start` starts it, with live keys. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ListedPayment, PaymentFilter } from '#app/payments/admin-contract.ts'
import type { Person } from '../support/accounts.ts'
import { type LiveShop, openLiveShop } from '../support/razorpay/live-shop.ts'

/** The jobs run every five seconds. */
const SOON = { timeout: 40_000, interval: 200 }
/** Razorpay waits five seconds for the answer to a webhook. */
const WEBHOOK_MS = 1000

let shop: LiveShop
let buyers: Person[]

beforeAll(async () => {
  shop = await openLiveShop({ buyers: 8 })
  buyers = [...shop.people]
})
// red when a story has broken an invariant of the doctor
afterAll(async () => expect(await shop.close()).toEqual({}))

/** A buyer without a purchase. */
function nextBuyer(): Person {
  const buyer = buyers.pop()
  if (!buyer) throw new Error('There is no buyer left.')
  return buyer
}

/** Buys one unit of 1000.00. */
async function bought() {
  const buyer = nextBuyer()
  const { body } = await shop.start(buyer)
  const proof = shop.razorpay.pay(body.id)
  const { order } = (await shop.verify(buyer, proof)).body
  await shop.razorpay.webhooks.whenDone()
  return { buyer, paid: proof.razorpay_payment_id, orderId: order._id }
}

/** Waits until the money is in a state that needs attention, and answers it. */
const untilListed = (paid: string, state: PaymentFilter) =>
  vi.waitFor(async () => {
    const path = `/payment/payments?state=${state}`
    const { body } = await shop.call<ListedPayment[]>(shop.admin, 'GET', path)
    expect(body).toContainEqual(expect.objectContaining({ _id: paid }))
  }, SOON)

describe('a refund that Razorpay does not take', () => {
  it('is refused before it is sent when it is below the minimum, and another one is made', async () => {
    const { buyer, paid, orderId } = await bought()
    const refused = await shop.refund(orderId, { amount: 0.5 })
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringContaining('The smallest amount'),
    ])
    expect(await shop.refund(orderId, { amount: 200 })).toMatchObject({ status: 200 })
    await vi.waitFor(
      async () => expect(await shop.ordersOf(buyer)).toMatchObject([{ refunded: 200 }]),
      SOON,
    )
    expect(shop.razorpay.account.refundsOf(paid)).toHaveLength(1)
  })

  it("says Razorpay's sentence, and blocks nothing once it is given up", async () => {
    const { paid, orderId } = await bought()
    shop.razorpay.account.backdate(paid, 200)
    const refused = await shop.refund(orderId, { amount: 200 })
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringContaining('the payment is more than 6 months old'),
    ])
    await untilListed(paid, 'refund_refused')
    const path = `/payment/give-up-refund/${orderId}`
    expect(await shop.call(shop.admin, 'POST', path)).toMatchObject({ status: 200 })
    shop.razorpay.account.backdate(paid, -200)
    expect(await shop.refund(orderId, { amount: 300 })).toMatchObject({ status: 200 })
    await vi.waitFor(() => expect(shop.razorpay.account.refundedOf(paid)).toBe(30_000), SOON)
  })
})

describe('money that moves at Razorpay', () => {
  it('is in sight while it is disputed, and when the dispute is lost', async () => {
    const { paid } = await bought()
    const dispute = shop.razorpay.account.dispute(paid)
    await untilListed(paid, 'disputed')
    shop.razorpay.account.endDispute(dispute.id, 'lost')
    await untilListed(paid, 'dispute_lost')
  })

  it('is in sight when it was refunded in the dashboard', async () => {
    const { buyer, paid } = await bought()
    shop.razorpay.refundElsewhere(paid, 40_000)
    await untilListed(paid, 'refunded_elsewhere')
    expect(await shop.ordersOf(buyer)).toMatchObject([{ refunded: 400 }])
  })
})

describe('a webhook', () => {
  it('is answered within a second while the provider takes 4 s for each call', async () => {
    const buyer = nextBuyer()
    const { id } = (await shop.start(buyer)).body
    // the shop has to refund what comes in now
    await shop.cancel(buyer, id)
    const { webhooks, network, account } = shop.razorpay
    webhooks.hold()
    const paid = shop.razorpay.pay(id).razorpay_payment_id
    for (const call of ['read payment', 'list refunds', 'refund', 'list payments'] as const)
      network.delay(call, { beforeMs: 4000 })
    const delivery = await webhooks.deliver(webhooks.newest('payment.captured'))
    expect(delivery.status).toBe(200)
    expect(delivery.ms).toBeLessThan(WEBHOOK_MS)
    webhooks.resume()
    await vi.waitFor(() => expect(account.refundedOf(paid)).toBe(100_000), SOON)
  })
})
