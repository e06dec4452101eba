/** Test payments: only where enabled, marked, and without effect on figures. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ListedUser } from '#app/accounts/admin-contract.ts'
import type { Figures } from '#app/orders/admin-contract.ts'
import type { Order } from '#app/orders/contract.ts'
import { countOrdersByStatus } from '#app/orders/server/store.ts'
import type { PaymentProof } from '#app/payments/contract.ts'
import { addPerson, type Person } from '../support/accounts.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'
import { contradictionsIn } from '../support/consistency.ts'
import { cartOf, purchases, signedPayment } from '../support/payments.ts'
import { startFakeRazorpay } from '../support/razorpay/fake-razorpay.ts'
import { seededRandom } from '../support/razorpay/random.ts'
import { type TestShop, testShop } from '../support/shop.ts'

const razorpay = await startFakeRazorpay(() => '', seededRandom(3))
razorpay.webhooks.setDelivery({ lost: 1 })
afterAll(() => razorpay.close())

const closed = testShop({ PAYMENTS: '' })
const sandbox = testShop()
const testKeys = testShop(razorpay.settings)
const live = testShop({
  ...razorpay.settings,
  RAZORPAY_KEY_ID: 'rzp_live_1',
  RATE_LIMIT: 'on',
  CURRENCY_DISPLAY: 'INR',
  CURRENCY_CHARGE: 'INR',
})

async function addCup({ db }: TestShop) {
  return addProduct(db, { category: await addCategory(db, 'Kitchen'), quantity: 5 })
}

/** Buys a cup of 12.50, and returns the order of `verify`. */
async function buyCup(shop: TestShop, buyer: Person, pay: (id: string) => PaymentProof) {
  const { start, verify } = purchases(shop)
  const { body } = await start(buyer, { amount: 1250, cart: cartOf(await addCup(shop)) })
  const verified = await verify(buyer, pay(body.id))
  expect(verified.status).toBe(200)
  return verified.body.order
}

// figures that take no time are not cached
beforeAll(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterAll(() => void vi.useRealTimers())

/** All figures about sales. */
async function counted(shop: TestShop, admin: Person, buyer: Person) {
  const { token } = admin
  const { days, bestSellers } = (await shop.get<Figures>('/order/figures', { token })).body
  const users = (await shop.get<ListedUser[]>(`/auth/all-users?q=${buyer.email}`, { token })).body
  const metrics = await countOrdersByStatus(shop.db)
  return {
    orders: days.reduce((sum, { orders }) => sum + orders, 0),
    revenue: days.reduce((sum, { revenue }) => sum + revenue, 0),
    sellers: bestSellers.length,
    users: users.map(({ orders, spent }) => [orders, spent]),
    metrics: Object.values(metrics).reduce((sum, count) => sum + count, 0),
  }
}

const NOTHING = { orders: 0, revenue: 0, sellers: 0, users: [[0, 0]], metrics: 0 }

describe('a shop without keys that nobody has told to play', () => {
  it('starts no payment, and holds nothing', async () => {
    const cup = await addCup(closed)
    const { start, stockOf } = purchases(closed)
    const buyer = await addPerson(closed.db)
    const bodies = [{ amount: 1250, cart: cartOf(cup) }, { amount: 1250 }]
    for (const body of bodies) {
      const refused = await start<unknown>(buyer, body)
      expect(refused.status).toBe(503)
      expect(refused.body).toEqual({
        success: false,
        code: 'unavailable',
        message: 'This shop cannot take payments yet.',
      })
    }
    expect(await stockOf(cup)).toBe(5)
    expect(await closed.db.selectFrom('payments').selectAll().execute()).toEqual([])
  })

  it('has no sandbox to pay in', async () => {
    const paid = await closed.post('/payment/sandbox/pay', {
      body: { razorpay_order_id: 'order_1' },
    })
    expect(paid.status).toBe(404)
    expect((await closed.get('/payment/sandbox/checkout.js')).status).toBe(404)
  })

  it('believes nobody that something was paid', async () => {
    const buyer = await addPerson(closed.db)
    const verified = await purchases(closed).verify(buyer, signedPayment('order_1'))
    expect([verified.status, verified.body.code]).toEqual([400, 'payment_failed'])
    const reported = await closed.post('/payment/webhook/razorpay', {
      body: { event: 'order.paid' },
    })
    expect(reported.status).toBe(503)
  })
})

describe.each([
  ['the sandbox', sandbox, signedPayment],
  ["a provider's test keys", testKeys, razorpay.pay],
] as const)('an order paid with %s', (_with, shop, pay) => {
  let [admin, buyer]: Person[] = []
  let order: Order
  beforeAll(async () => {
    admin = await addPerson(shop.db, { admin: true })
    buyer = await addPerson(shop.db)
    order = await buyCup(shop, buyer, pay)
  })

  it('says so wherever it is shown', async () => {
    if (!(admin && buyer)) throw new Error('Nobody is there.')
    const { token } = admin
    expect(order.test).toBe(true)
    const own = await shop.get<Order[]>('/auth/orders', { token: buyer.token })
    expect(own.body.map(({ test }) => test)).toEqual([true])
    const all = await shop.get<Order[]>('/auth/all-orders', { token })
    expect(all.body.map(({ test }) => test)).toEqual([true])
    const { latestOrders } = (await shop.get<Figures>('/order/figures', { token })).body
    expect(latestOrders.map(({ test }) => test)).toEqual([true])
    const [head = '', line = ''] = (await shop.get('/order/export', { token })).bytes
      .toString()
      .split('\r\n')
    const column = head.split(',').indexOf('"test"')
    expect(line.split(',')[column]).toBe('"yes"')
  })

  it('counts in no figure, whatever becomes of it, and is in every list', async () => {
    if (!(admin && buyer)) throw new Error('Nobody is there.')
    const { token } = admin
    const today = new Date().toISOString().slice(0, 10)
    for (const status of ['cancel', 'Shipped', 'cancel', 'Processing']) {
      expect(await counted(shop, admin, buyer)).toEqual(NOTHING)
      await shop.put(`/auth/order-status/${order._id}`, { token, body: { status } })
      for (const filter of ['', `?status=${status}`, `?from=${today}`]) {
        const listed = await shop.get(`/auth/all-orders${filter}`, { token })
        expect(listed.headers['x-total-count'], filter).toBe('1')
      }
    }
    expect(await counted(shop, admin, buyer)).toEqual(NOTHING)
    expect(await contradictionsIn(shop.db)).toEqual({})
  })
})

describe('an order that was paid with money', () => {
  it('is no test, and counts', async () => {
    const admin = await addPerson(live.db, { admin: true })
    const buyer = await addPerson(live.db)
    const order = await buyCup(live, buyer, razorpay.pay)
    expect(order).not.toHaveProperty('test')
    const { bytes } = await live.get('/order/export', { token: admin.token })
    expect(bytes.toString()).toMatch(/"1 Market Lane","no",[^\n]*"product",[^\n]*\r\n$/)
    expect(await counted(live, admin, buyer)).toEqual({
      orders: 1,
      revenue: 12.5,
      sellers: 1,
      users: [[1, 12.5]],
      metrics: 1,
    })
    expect(await contradictionsIn(live.db)).toEqual({})
  })
})
