import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Figures } from '#app/orders/admin-contract.ts'
import type { ListedPayment } from '#app/payments/admin-contract.ts'
import type { PaymentContext } from '#app/payments/server/context.ts'
import { openPayments } from '#app/payments/server/open-payments.ts'
import { reconcile } from '#app/payments/server/reconciliation/reconciliation.ts'
import { processRefunds } from '#app/payments/server/refunds/refund-job.ts'
import { refuseUnmatched } from '#app/payments/server/refunds/refunds.ts'
import { addPerson, type Person } from '../support/accounts.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'
import { cartOf, purchases } from '../support/payments.ts'
import { startFakeRazorpay } from '../support/razorpay/fake-razorpay.ts'
import { seededRandom } from '../support/razorpay/random.ts'
import { testShop } from '../support/shop.ts'
import { HOOK_SECRET, paymentOf, provider, report } from '../support/webhook.ts'

/** Without webhooks; every payment is only authorised. */
const razorpay = await startFakeRazorpay(() => '', seededRandom(7))
razorpay.account.rules.takesSecondPayments = true
razorpay.webhooks.setDelivery({ lost: 1 })
const { account, banking } = razorpay

const shop = testShop({ ...razorpay.settings, RAZORPAY_WEBHOOK_SECRET: HOOK_SECRET })
const { start, verify, ordersOf, expireReservations } = purchases(shop)
const { tell } = provider(shop)
const log = { debug: vi.fn(), warn: vi.fn(), error: vi.fn() }

let context: PaymentContext
let admin: Person
let category: { id: string }

beforeAll(async () => {
  const { config: settings, db } = shop
  context = (await openPayments({ settings, db, isDemo: false, log })).context
  admin = await addPerson(shop.db, { admin: true })
  category = await addCategory(shop.db, 'Kitchen')
})
beforeEach(async () => {
  banking.authorisedOnly = 1
  // payments that other tests left open are excluded
  await shop.db.updateTable('payments').set({ next_attempt_at: null }).execute()
})
afterAll(() => razorpay.close())

/** A new buyer with a started payment for one cup of 12.50. */
async function started() {
  const buyer = await addPerson(shop.db)
  const product = await addProduct(shop.db, { category })
  const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
  return { buyer, product, id: body.id }
}

async function soldOut() {
  const { buyer, product, id } = await started()
  await expireReservations()
  await shop.db.updateTable('products').set({ quantity: 0 }).where('id', '=', product.id).execute()
  const proof = razorpay.pay(id)
  expect((await verify(buyer, proof)).status).toBe(409)
  return { buyer, id, proof, paymentId: proof.razorpay_payment_id }
}

/** Makes every poll and refund due, and runs both jobs. */
async function ask() {
  await shop.db
    .updateTable('payments')
    .set({ next_attempt_at: new Date(0) })
    .where('next_attempt_at', 'is not', null)
    .execute()
  await reconcile(shop.db, context)
  await processRefunds(shop.db, context)
}

const statesOf = async (id: string, query = '?state=needs_attention') => {
  const path = `/payment/payments${query}`
  const { body } = await shop.get<ListedPayment[]>(path, { token: admin.token })
  return body.filter((one) => one.payment.razorpay_order_id === id).map(({ state }) => state)
}

const inNeed = async () =>
  (await shop.get<Figures>('/order/figures', { token: admin.token })).body.paymentsInNeed

const statusOf = (id: string) => account.paymentsOf(id).map(({ status }) => status)

function becomes(paymentId: string, status: 'failed' | 'captured') {
  const captured = status === 'captured'
  Object.assign(account.paymentWith(paymentId), { status, captured })
}

describe('money that is due to go back and was only promised', () => {
  it('is not taken, and is done with when it never came in', async () => {
    const before = await inNeed()
    const { buyer, id, proof, paymentId } = await soldOut()
    await ask()
    expect(statusOf(id)).toEqual(['authorized'])
    expect([await statesOf(id), await inNeed()]).toEqual([['refund_pending'], before + 1])
    becomes(paymentId, 'failed')
    await ask()
    expect([await statesOf(id), await inNeed()]).toEqual([[], before])
    expect(await statesOf(id, '?state=voided')).toEqual(['voided'])
    expect((await verify(buyer, proof)).body.message).toBe(
      'Clay cup is sold out: 0 left. You were not charged.',
    )
    const { body } = await shop.get('/payment/refunds', { token: buyer.token })
    expect(body).toMatchObject([
      { state: 'voided', reason: expect.stringContaining('You were not charged') },
    ])
  })

  it('goes back when it comes in although it was taken to never come', async () => {
    const { id, paymentId } = await soldOut()
    becomes(paymentId, 'failed')
    await ask()
    becomes(paymentId, 'captured')
    await ask()
    expect(account.refundedOf(paymentId)).toBe(1250)
    expect(await statesOf(id, '?state=refunded')).toEqual(['refunded'])
  })

  it('is done with, too, when nobody has claimed it', async () => {
    const buyer = await addPerson(shop.db)
    const { body } = await start(buyer, { amount: 1250 })
    const proof = razorpay.pay(body.id)
    await verify(buyer, proof, [])
    await ask()
    expect(statusOf(body.id)).toEqual(['authorized'])
    becomes(proof.razorpay_payment_id, 'failed')
    await ask()
    await refuseUnmatched(shop.db, { reservationMinutes: 0 })
    expect(await statesOf(body.id)).not.toContain('unmatched')
    expect((await verify(buyer, proof, [])).body.message).toBe('Payment verification failed')
  })
})

describe('an order that is refunded before its money came in', () => {
  it('is done with when the bank has released the money', async () => {
    const { buyer, id } = await started()
    const proof = razorpay.pay(id)
    const { order } = (await verify(buyer, proof)).body
    const body = { reason: 'The cup was cracked.' }
    await shop.post(`/payment/refund/${order._id}`, { token: admin.token, body })
    await ask()
    expect(await statesOf(id)).toEqual(['refund_refused'])
    razorpay.release(proof.razorpay_payment_id)
    await ask()
    expect(await statesOf(id)).toEqual([])
    expect(await ordersOf(buyer)).toMatchObject([{ refunded: 12.5 }])
  })
})

describe('an order that was cancelled before its money came in', () => {
  async function cancelled() {
    const { buyer, id } = await started()
    const proof = razorpay.pay(id)
    const { order } = (await verify(buyer, proof)).body
    const path = `/auth/order-status/${order._id}`
    await shop.put(path, { token: admin.token, body: { status: 'cancel' } })
    return { id, paymentId: proof.razorpay_payment_id }
  }

  it('has nothing captured', async () => {
    const { id } = await cancelled()
    await ask()
    expect(statusOf(id)).toEqual(['authorized'])
    expect(await statesOf(id)).toEqual([])
  })

  it('is listed until the money is back that came in all the same', async () => {
    const before = await inNeed()
    const { id, paymentId } = await cancelled()
    account.capture(paymentId)
    await tell(report('payment.captured', paymentOf(id, paymentId)))
    expect([await statesOf(id), await inNeed()]).toEqual([['paid_cancelled'], before + 1])
    await shop.db
      .updateTable('payments')
      .set({ refunded_minor: 1250 })
      .where('provider_payment_id', '=', paymentId)
      .execute()
    expect([await statesOf(id), await inNeed()]).toEqual([[], before])
  })
})

describe('a second payment of an order that is only promised', () => {
  it('is left to its bank', async () => {
    const { buyer, id } = await started()
    const first = razorpay.pay(id)
    const second = razorpay.pay(id)
    await ask()
    expect(await ordersOf(buyer)).toHaveLength(1)
    await ask()
    // the newest is listed first
    expect(statusOf(id)).toEqual(['authorized', 'captured'])
    expect(first.razorpay_payment_id).not.toBe(second.razorpay_payment_id)
  })
})
