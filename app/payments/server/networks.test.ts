/** One network, with many accounts, and what it leaves to others. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { addCoupon, usesOf } from '#tests/support/coupons.ts'
import { paymentContext } from '#tests/support/payment-context.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { testShop } from '#tests/support/shop.ts'
import { paymentOf, report, signatureOf } from '#tests/support/webhook.ts'
import { forgetUnpaid, releaseExpired } from './reservations.ts'
import { processWebhook } from './webhook/webhook.ts'

const shop = testShop({ RATE_LIMIT: 'on' })
const { verify, stockOf } = purchases(shop)

type Cup = { id: string }
type Started = { id: string; code?: string; message?: string }

let category: { id: string }
beforeAll(async () => {
  category = await addCategory(shop.db, 'Kitchen')
})

const product = (quantity: number) => addProduct(shop.db, { category, quantity })

let networks = 0
/** A network that no other test uses. */
const network = () => {
  networks += 1
  return `203.0.113.${networks}`
}

const startBy = (buyer: Person, from: string, cups: Cup[], couponCodes?: string[]) => {
  const amount = 1250 * cups.length * (couponCodes ? 0.9 : 1)
  const body = { amount, cart: cartOf(...cups), couponCodes }
  return shop.post<Started>('/product/razorpay/order', { token: buyer.token, from, body })
}

/** Starts a payment as a new buyer in this network. */
const startFrom = async (from: string, cups: Cup[], couponCodes?: string[]) =>
  startBy(await addPerson(shop.db), from, cups, couponCodes)

describe('a network with many accounts', () => {
  it.each([
    ['another network', network],
    ['the same network', (taker: string) => taker],
  ])('leaves the stock that it reserves to a buyer of %s', async (_, other) => {
    const cup = await product(10)
    const taker = network()
    for (let account = 0; account < 5; account += 1)
      expect((await startFrom(taker, [cup, cup])).status).toBe(200)
    expect(await stockOf(cup)).toBe(0)
    expect((await startFrom(other(taker), [cup, cup, cup])).status).toBe(200)
    expect(await stockOf(cup)).toBe(1)
    expect(await contradictionsIn(shop.db)).toEqual({})
  })

  it('leaves the uses of a coupon that it holds', async () => {
    const cup = await product(100)
    const coupon = await addCoupon(shop.db, { code: 'FIVE', max_uses: 5 })
    const taker = network()
    for (let account = 0; account < 5; account += 1)
      expect((await startFrom(taker, [cup], ['FIVE'])).status).toBe(200)
    expect(await usesOf(shop, coupon)).toBe(5)
    expect((await startFrom(network(), [cup], ['FIVE'])).status).toBe(200)
    expect(await usesOf(shop, coupon)).toBe(5)
    expect(await contradictionsIn(shop.db)).toEqual({})
  })

  it.each([
    [64, (account: number) => `2001:db8::${account}`],
    [56, (account: number) => `2001:db8:1:${account}::1`],
    [48, (account: number) => `2001:db8:2:${account}00::1`],
  ])('is one of IPv6 with the same first %i bits', async (_, addressOf) => {
    const cup = await product(5)
    for (let account = 0; account < 5; account += 1)
      expect((await startFrom(addressOf(account), [cup])).status).toBe(200)
    expect((await startFrom(network(), [cup])).status).toBe(200)
  })

  it('is none of IPv6 with other first 48 bits', async () => {
    const cup = await product(5)
    for (let account = 0; account < 5; account += 1)
      expect((await startFrom(`2001:db8:1${account}::1`, [cup])).status).toBe(200)
    expect((await startFrom(network(), [cup])).status).toBe(409)
  })

  it('keeps what it reserves as long as others find enough, and takes nothing from quiet ones', async () => {
    const [cup, other] = [await product(7), await product(1)]
    const taker = network()
    for (let account = 0; account < 5; account += 1) await startFrom(taker, [cup])
    const quiet = network()
    expect((await startFrom(quiet, [cup])).status).toBe(200)
    expect((await startFrom(quiet, [other])).status).toBe(200)
    expect(await stockOf(cup)).toBe(1)
    expect(await startFrom(taker, [other])).toMatchObject({
      status: 409,
      body: { code: 'out_of_stock' },
    })
  })

  it('keeps what it reserves when it pays for as much', async () => {
    const cup = await product(6)
    const office = network()
    const first = await addPerson(shop.db)
    const { body } = await startBy(first, office, [cup])
    expect((await verify(first, signedPayment(body.id))).status).toBe(200)
    for (let account = 0; account < 5; account += 1) await startFrom(office, [cup])
    expect((await startFrom(network(), [cup])).status).toBe(409)
  })
})

it('a buyer who starts again and again yields, too', async () => {
  const cup = await product(1)
  const buyer = await addPerson(shop.db)
  const from = network()
  for (let turn = 0; turn < 4; turn += 1) await startBy(buyer, from, [cup])
  expect((await startFrom(network(), [cup])).status).toBe(409)
  await startBy(buyer, from, [cup])
  expect((await startFrom(network(), [cup])).status).toBe(200)
})

describe('a payment that was started and never paid', () => {
  /** Moves all payments back in time, after their last poll. */
  const age = (days: number) =>
    sql`update payments set next_attempt_at = null,
      reserved_until = reserved_until - ${days}::integer * interval '1 day',
      created_at = created_at - ${days}::integer * interval '1 day'`.execute(shop.db)

  const isStored = async (providerOrderId: string) =>
    (await shop.db
      .selectFrom('payments')
      .where('provider_order_id', '=', providerOrderId)
      .select('id')
      .executeTakeFirst()) !== undefined

  const expire = async () => {
    await sql`update payments set reserved_until = now()
      where state = 'open' and reserved_until is not null`.execute(shop.db)
    await releaseExpired(shop.db)
  }

  it('is deleted two weeks after its last start, when it is polled no more', async () => {
    const cup = await product(10)
    const buyer = await addPerson(shop.db)
    const { id } = (await startBy(buyer, network(), [cup])).body
    await expire()
    await age(13)
    await forgetUnpaid(shop.db)
    expect(await isStored(id)).toBe(true)
    await age(2)
    await sql`update payments set next_attempt_at = now()`.execute(shop.db)
    await forgetUnpaid(shop.db)
    expect(await isStored(id)).toBe(true)
    await age(0)
    await forgetUnpaid(shop.db)
    expect(await isStored(id)).toBe(false)
    expect(await contradictionsIn(shop.db)).toEqual({})
  })

  it('is deleted also where it was started with an amount only, or cancelled', async () => {
    const buyer = await addPerson(shop.db)
    const { token } = buyer
    const amountOnly = await shop.post<Started>('/product/razorpay/order', {
      token,
      body: { amount: 999 },
    })
    const { id } = (await startBy(buyer, network(), [await product(1)])).body
    await shop.post('/product/razorpay/cancel', { token, body: { razorpay_order_id: id } })
    await expire()
    await age(15)
    await forgetUnpaid(shop.db)
    expect([await isStored(amountOnly.body.id), await isStored(id)]).toEqual([false, false])
  })

  it('is money for an unknown order when it is deleted while its webhook is handled', async () => {
    const { id } = (await startFrom(network(), [await product(1)])).body
    await expire()
    const rules = paymentContext(shop)
    let deleted: Promise<unknown> | undefined
    const context = {
      ...rules,
      // read after the payment was found, and before it is locked
      get retrySeconds() {
        deleted ??= sql`delete from payments where provider_order_id = ${id}`.execute(shop.db)
        return rules.retrySeconds
      },
    }
    const money = paymentOf(id)
    const text = JSON.stringify(report('payment.captured', money))
    await processWebhook(shop.db, context, 'sandbox', {
      raw: Buffer.from(text),
      headers: { 'x-razorpay-signature': signatureOf(text) },
    })
    await deleted
    const unknown = await shop.db
      .selectFrom('captures')
      .where('purpose', '=', 'unknown')
      .selectAll()
      .execute()
    expect(unknown).toMatchObject([{ provider_payment_id: money.id, provider_order_id: id }])
  })

  it('stays when it is paid, and loses the network of its buyer after a day', async () => {
    const buyer = await addPerson(shop.db)
    const { id } = (await startBy(buyer, network(), [await product(1)])).body
    await verify(buyer, signedPayment(id))
    await expire()
    await age(15)
    await forgetUnpaid(shop.db)
    const row = await shop.db
      .selectFrom('payments')
      .where('provider_order_id', '=', id)
      .select(['state', 'network', 'networks'])
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ state: 'paid', network: null, networks: null })
  })
})
