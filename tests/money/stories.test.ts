/** A shop as `npm start` starts it, with live keys, and a Razorpay that is slow, late and forgetful. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Invoice } from '#app/orders/contract.ts'
import type { Person } from '../support/accounts.ts'
import { type LiveShop, openLiveShop } from '../support/razorpay/live-shop.ts'

/** The jobs run every five seconds. */
const SOON = { timeout: 40_000, interval: 200 }

let shop: LiveShop
let buyers: Person[]

beforeAll(async () => {
  shop = await openLiveShop({ buyers: 12 })
  buyers = [...shop.people]
})
beforeEach(() => {
  shop.razorpay.network.restore()
  shop.razorpay.lagLists(0)
  shop.razorpay.webhooks.resume()
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
async function bought(buyer = nextBuyer()) {
  const { body } = await shop.start(buyer)
  const proof = shop.razorpay.pay(body.id)
  const verified = await shop.verify(buyer, proof)
  expect(verified).toMatchObject({ status: 200 })
  await shop.razorpay.webhooks.whenDone()
  return { buyer, paid: proof.razorpay_payment_id, orderId: verified.body.order._id }
}

const amountsOf = (paid: string) =>
  shop.razorpay.account.refundsOf(paid).map(({ amount }) => amount / 100)

const untilRefunded = (buyer: Person, amount: number) =>
  vi.waitFor(async () => {
    const [order] = await shop.ordersOf(buyer)
    expect(order).toMatchObject({ refunded: amount })
    expect(order).not.toHaveProperty('refundPending')
  }, SOON)

describe('a refund in parts', () => {
  it('is sent once a part, when the provider takes 8 s and the webhook of the first part is late', async () => {
    const { buyer, paid, orderId } = await bought()
    const { webhooks, network } = shop.razorpay
    webhooks.hold()
    expect(await shop.refund(orderId, { amount: 200 })).toMatchObject({ status: 200 })
    // longer than the job's pause of 5 s, and shorter than the shop waits
    network.delay('refund', { beforeMs: 8000 })
    const second = shop.refund(orderId, { amount: 300 })
    await vi.waitFor(() => expect(shop.razorpay.requests.at(-1)).toMatchObject({ call: 'refund' }))
    expect(await webhooks.deliver(webhooks.newest('refund.processed'))).toMatchObject({
      status: 200,
    })
    await second
    webhooks.resume()
    await untilRefunded(buyer, 500)
    expect(amountsOf(paid)).toEqual([300, 200])
  })

  it('is made once when its answer is lost and the provider lists it late', async () => {
    const { buyer, paid, orderId } = await bought()
    shop.razorpay.webhooks.hold()
    shop.razorpay.lagLists(Number.POSITIVE_INFINITY)
    shop.razorpay.network.loseAnswer('refund')
    expect(await shop.refund(orderId, { amount: 300 })).toMatchObject({ status: 200 })
    await untilRefunded(buyer, 300)
    expect(amountsOf(paid)).toEqual([300])
  })
})

describe('a declined attempt', () => {
  it('is an order when the bank completes it late', async () => {
    const buyer = nextBuyer()
    const { id } = (await shop.start(buyer)).body
    const attempt = shop.razorpay.decline(id)
    await shop.cancel(buyer, id, true)
    shop.razorpay.authoriseLate(attempt.id)
    await vi.waitFor(async () => expect(await shop.ordersOf(buyer)).toHaveLength(1), SOON)
    expect(amountsOf(attempt.id)).toEqual([])
  })

  it('and the next one pay one order at Razorpay, which ends the second success itself', async () => {
    const buyer = nextBuyer()
    const { id } = (await shop.start(buyer)).body
    const attempt = shop.razorpay.decline(id)
    await shop.cancel(buyer, id, true)
    const again = await shop.start(buyer)
    expect(again.body.id).toBe(id)
    expect(await shop.verify(buyer, shop.razorpay.pay(id))).toMatchObject({ status: 200 })
    shop.razorpay.authoriseLate(attempt.id)
    expect(shop.razorpay.account.paymentWith(attempt.id)).toMatchObject({
      captured: false,
      status: 'refunded',
    })
    await shop.razorpay.webhooks.whenDone()
    expect(await shop.ordersOf(buyer)).toHaveLength(1)
  })
})

describe('an unclean end', () => {
  it('skips no invoice number, and loses no order', async () => {
    const { admin } = shop
    const numbers: (number | null)[] = []
    for (let round = 0; round < 3; round += 1) {
      const { buyer, orderId } = await bought()
      await shop.kill()
      await shop.restart()
      expect(await shop.ordersOf(buyer)).toHaveLength(1)
      const number = await vi.waitFor(async () => {
        const { status, body } = await shop.call<Invoice>(admin, 'GET', `/order/invoice/${orderId}`)
        expect(status).toBe(200)
        return body.number
      }, SOON)
      numbers.push(number)
    }
    const first = Number(numbers[0])
    expect(numbers).toEqual([first, first + 1, first + 2])
  })
})

describe('the doctor, after the stories', () => {
  const FINE = [
    expect.stringMatching(/^ok +Refunds: the provider has the same as the shop of \d\d? payments$/),
    expect.stringMatching(/^ok +Invariants: all \d+ hold$/),
  ]

  it('finds the same refunds at the provider and in the shop, and names a payment of which they differ', async () => {
    const { buyer, paid } = await bought()
    expect(await shop.doctor()).toEqual(FINE)
    shop.razorpay.webhooks.hold()
    shop.razorpay.refundElsewhere(paid, 40_000)
    expect((await shop.doctor())[0]).toMatch(new RegExp(`^WRONG Refunds: .*: ${paid}$`))
    shop.razorpay.webhooks.resume()
    await untilRefunded(buyer, 400)
    expect(await shop.doctor()).toEqual(FINE)
  })
})
