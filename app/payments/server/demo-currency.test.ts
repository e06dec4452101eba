import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '#db/connect.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { cartOf, purchases } from '#tests/support/payments.ts'
import { startFakeRazorpay } from '#tests/support/razorpay/fake-razorpay.ts'
import { shopOn, type TestShop } from '#tests/support/shop.ts'

let database: OpenDatabase
let shop: TestShop
let razorpay: Awaited<ReturnType<typeof startFakeRazorpay>>
let admin: Person
let buyer: Person
let cup: { id: string }
let buys: ReturnType<typeof purchases>
beforeAll(async () => {
  database = await openTestDatabase()
  let address = ''
  razorpay = await startFakeRazorpay(() => address)
  const settings = { ...razorpay.settings, CURRENCY_DISPLAY: 'USD' }
  shop = await shopOn(database.db, settings, undefined, { isDemo: true })
  address = await shop.app.listen({ port: 0, host: '127.0.0.1' })
  buys = purchases(shop)
  admin = await addPerson(shop.db, { admin: true })
  buyer = await addPerson(shop.db)
  cup = await addProduct(shop.db, { category: await addCategory(shop.db, 'Kitchen') })
})
afterAll(async () => {
  await razorpay.close()
  await shop.app.close()
  await database.close()
})

const startCup = async () => (await buys.start(buyer, { amount: 1250, cart: cartOf(cup) })).body
const stored = async (table: 'payments' | 'captures' | 'orders') =>
  (await shop.db.selectFrom(table).select('currency').distinct().execute()).map(
    ({ currency }) => currency,
  )

describe('the demo shows dollars, and the provider reads the same figures in rupees', () => {
  it('of a payment that the browser proves', async () => {
    const started = await startCup()
    expect(started).toMatchObject({ amount: 1250, currency: 'INR' })
    expect(razorpay.account.orders.get(started.id)).toMatchObject({ amount: 1250, currency: 'INR' })
    const { status, body } = await buys.verify(buyer, razorpay.pay(started.id))
    expect([status, body.order.total, body.order.currency]).toEqual([200, 12.5, 'USD'])
    await razorpay.webhooks.whenDone()
    const refund = await shop.post(`/payment/refund/${body.order._id}`, {
      token: admin.token,
      body: { amount: 2.5, reason: 'The cup was cracked.' },
    })
    expect(refund.status).toBe(200)
    const { razorpay_payment_id } = body.order.payment
    expect(razorpay.account.refundedOf(razorpay_payment_id)).toBe(250)
  })

  it('of money that a webhook reports', async () => {
    const { id } = await startCup()
    razorpay.pay(id)
    await razorpay.webhooks.whenDone()
    expect(await buys.ordersOf(buyer)).toHaveLength(2)
  })

  it('and stores no rupees', async () => {
    expect(await stored('payments')).toEqual(['USD'])
    expect(await stored('captures')).toEqual(['USD'])
    expect(await stored('orders')).toEqual(['USD'])
    expect(await contradictionsIn(shop.db)).toEqual({})
  })
})
