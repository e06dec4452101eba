import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { addCoupon, usesOf } from '#tests/support/coupons.ts'
import { cartOf, purchases } from '#tests/support/payments.ts'
import { startFakeRazorpay } from '#tests/support/razorpay/fake-razorpay.ts'
import { testShop } from '#tests/support/shop.ts'
import { HOOK_SECRET, paymentOf, provider, report } from '#tests/support/webhook.ts'
import { openPayments } from './open-payments.ts'
import { reconcile } from './reconciliation/reconciliation.ts'

/** Its webhooks are lost: the tests send their own. */
const razorpay = await startFakeRazorpay(() => '')
razorpay.webhooks.setDelivery({ lost: 1 })
const settings = { ...razorpay.settings, RAZORPAY_WEBHOOK_SECRET: HOOK_SECRET }
const shop = testShop(settings)
const { start, verify, ordersOf, stockOf } = purchases(shop)
const { tell } = provider(shop)

let category: { id: string }
let buyer: Person
beforeAll(async () => {
  category = await addCategory(shop.db, 'Kitchen')
})
afterAll(() => razorpay.close())

const product = (quantity = 10) => addProduct(shop.db, { category, quantity })

/** The call of the shop's page when an attempt was declined, or its dialog was closed. */
const release = (id: string) =>
  shop.post('/product/razorpay/cancel', {
    token: buyer.token,
    body: { razorpay_order_id: id, releaseOnly: true },
  })

type Cup = { id: string }

async function startFor(...cups: Cup[]) {
  const body = { amount: 1250 * cups.length, cart: cartOf(...cups) }
  return (await start(buyer, body)).body
}

/** A declined attempt of a new buyer. */
async function declined(...cups: Cup[]) {
  buyer = await addPerson(shop.db)
  const { id } = await startFor(...cups)
  await release(id)
  return id
}

describe('another attempt at the same cart', () => {
  it('has the order of the first one at the provider, and reserves the stock again', async () => {
    const cup = await product()
    const id = await declined(cup, cup)
    expect(await stockOf(cup)).toBe(10)
    expect(await startFor(cup, cup)).toMatchObject({ id, amount: 2500 })
    expect(await stockOf(cup)).toBe(8)
    const { body } = await verify(buyer, razorpay.pay(id))
    expect(body.order).toMatchObject({ total: 25 })
    expect(await stockOf(cup)).toBe(8)
  })

  it('has it also while the first one is open in another tab', async () => {
    const cup = await product()
    buyer = await addPerson(shop.db)
    const { id } = await startFor(cup)
    expect((await startFor(cup)).id).toBe(id)
    expect(await stockOf(cup)).toBe(9)
  })

  it('takes its coupon once', async () => {
    const cup = await product()
    const coupon = await addCoupon(shop.db, { code: 'TENTH', max_uses: 1 })
    buyer = await addPerson(shop.db)
    const body = { amount: 1125, cart: cartOf(cup), couponCodes: ['TENTH'] }
    const first = await start(buyer, body)
    await release(first.body.id)
    expect(await usesOf(shop, coupon)).toBe(0)
    expect((await start(buyer, body)).body.id).toBe(first.body.id)
    expect((await start(buyer, body)).body.id).toBe(first.body.id)
    expect(await usesOf(shop, coupon)).toBe(1)
  })

  it('is polled from the beginning', async () => {
    const cup = await product()
    const id = await declined(cup)
    await sql`update payments set attempts = 20, next_attempt_at = null
      where provider_order_id = ${id}`.execute(shop.db)
    await startFor(cup)
    const row = await shop.db
      .selectFrom('payments')
      .where('provider_order_id', '=', id)
      .select(['attempts', 'next_attempt_at', 'state'])
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ attempts: 0, state: 'created', next_attempt_at: expect.any(Date) })
  })

  it('is refused when the stock is gone', async () => {
    const cup = await product(1)
    await declined(cup)
    await sql`update products set quantity = 0 where id = ${cup.id}`.execute(shop.db)
    const body = { amount: 1250, cart: cartOf(cup) }
    expect(await start(buyer, body)).toMatchObject({ status: 409, body: { code: 'out_of_stock' } })
  })

  it.each([
    ['of another cart of the same amount', async () => startFor(await product())],
    ['of another cart', async (cup: Cup) => startFor(cup, await product())],
    ['of another amount', async (cup: Cup) => startFor(cup, cup)],
  ])('%s has an order of its own', async (_what, attempt) => {
    const cup = await product()
    const id = await declined(cup)
    expect((await attempt(cup)).id).not.toBe(id)
  })

  it('has an order of its own after the first one was cancelled, or paid', async () => {
    const cup = await product()
    const cancelled = await declined(cup)
    await shop.post('/product/razorpay/cancel', {
      token: buyer.token,
      body: { razorpay_order_id: cancelled },
    })
    const { id: paid } = await startFor(cup)
    expect(paid).not.toBe(cancelled)
    await verify(buyer, razorpay.pay(paid))
    expect((await startFor(cup)).id).not.toBe(paid)
  })
})

describe('the late success of a declined attempt', () => {
  it('makes the order when a poll finds it', async () => {
    const cup = await product()
    const id = await declined(cup)
    razorpay.authoriseLate(razorpay.decline(id).id, { minutes: 600 })
    const { config, db } = shop
    const log = { debug() {}, warn() {}, error() {} }
    const { context } = await openPayments({ settings: config, db, isDemo: false, log })
    await sql`update payments set next_attempt_at = now() where provider_order_id = ${id}`.execute(
      db,
    )
    await reconcile(db, context)
    expect(await ordersOf(buyer)).toMatchObject([{ payment: { razorpay_order_id: id } }])
  })

  const succeed = (id: string) => tell(report('payment.captured', paymentOf(id)))

  it('makes the order', async () => {
    const cup = await product()
    const id = await declined(cup)
    await tell(report('payment.failed', paymentOf(id)))
    expect(await succeed(id)).toEqual([200, { success: true }])
    expect(await ordersOf(buyer)).toMatchObject([{ payment: { razorpay_order_id: id } }])
    expect(await stockOf(cup)).toBe(9)
  })

  it('is refunded with the reason when the stock is gone', async () => {
    const cup = await product(1)
    const id = await declined(cup)
    await sql`update products set quantity = 0 where id = ${cup.id}`.execute(shop.db)
    await succeed(id)
    expect(await ordersOf(buyer)).toEqual([])
    const { body } = await shop.get<{ reason: string }[]>('/payment/refunds', {
      token: buyer.token,
    })
    expect(body).toMatchObject([{ reason: expect.stringContaining('is sold out: 0 left.') }])
  })
})

it('a start that Razorpay does not take says why, and holds no stock', async () => {
  const cup = await product()
  buyer = await addPerson(shop.db)
  razorpay.account.rules.maximumMinor = 1000
  expect(await start(buyer, { amount: 1250, cart: cartOf(cup) })).toMatchObject({
    status: 409,
    body: {
      message:
        'The payment provider does not take this payment. Amount exceeds maximum amount allowed.',
    },
  })
  expect(await stockOf(cup)).toBe(10)
})
