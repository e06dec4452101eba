import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCoupon, usesOf } from '#tests/support/coupons.ts'
import { razorpayShop } from '#tests/support/payment-shop.ts'
import { cartOf } from '#tests/support/payments.ts'
import { paymentOf, provider, report } from '#tests/support/webhook.ts'

const {
  shop,
  start,
  verify,
  ordersOf,
  stockOf,
  cup: product,
  change,
  razorpay,
} = await razorpayShop({
  hasWebhooks: false,
})
const { tell } = provider(shop)

let buyer: Person

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
    expect(row).toMatchObject({ attempts: 0, state: 'open', next_attempt_at: expect.any(Date) })
  })

  it('is refused when the stock is gone', async () => {
    const cup = await product({ quantity: 1 })
    await declined(cup)
    await change(cup, { quantity: 0 })
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
  const succeed = (id: string) => tell(report('payment.captured', paymentOf(id)))

  it('is refunded with the reason when the stock is gone', async () => {
    const cup = await product({ quantity: 1 })
    const id = await declined(cup)
    await change(cup, { quantity: 0 })
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
