/** A shop that was tried with test payments, and takes money then. */
import { afterAll, describe, expect, it } from 'vitest'
import { addPerson } from '../support/accounts.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'
import { contradictionsIn, selectStock } from '../support/consistency.ts'
import { addCoupon, usesOf } from '../support/coupons.ts'
import { cartOf, purchases, signedPayment } from '../support/payments.ts'
import { startFakeRazorpay } from '../support/razorpay/fake-razorpay.ts'
import { seededRandom } from '../support/razorpay/random.ts'
import { shopOn, testShop } from '../support/shop.ts'

const razorpay = await startFakeRazorpay(() => '', seededRandom(5))
afterAll(() => razorpay.close())

const shop = testShop({ CURRENCY_DISPLAY: 'INR' })

/** The shop on the same database with live keys. */
const openLive = async () => {
  const live = await shopOn(shop.db, {
    ...razorpay.settings,
    RAZORPAY_KEY_ID: 'rzp_live_1',
    RATE_LIMIT: 'on',
    CURRENCY_CHARGE: 'INR',
  })
  return { ...live, ...purchases({ ...shop, ...live }) }
}

describe('the first start with live keys', () => {
  it('returns the stock and the uses of coupons of test orders, once', async () => {
    const { start, verify, stockOf } = purchases(shop)
    const category = await addCategory(shop.db, 'Kitchen')
    const cup = await addProduct(shop.db, { category, price: 10, quantity: 5 })
    const pot = await addProduct(shop.db, { category, price: 10, quantity: 5 })
    const coupon = await addCoupon(shop.db, { code: 'ONCE', max_uses: 1, max_uses_each: 1 })
    const buyer = await addPerson(shop.db, { isConfirmed: true })
    const cart = [...cartOf(cup), ...cartOf(cup), ...cartOf(pot)]
    const order = { amount: 2700, cart, couponCodes: [coupon.code] }
    const tried = await start(buyer, order)
    expect((await verify(buyer, signedPayment(tried.body.id))).body.order.test).toBe(true)
    expect([await stockOf(cup), await stockOf(pot), await usesOf(shop, coupon)]).toEqual([3, 4, 1])
    expect((await start(buyer, order)).status).toBe(409)

    const live = await openLive()
    expect([await stockOf(cup), await stockOf(pot), await usesOf(shop, coupon)]).toEqual([5, 5, 0])
    expect(await live.ordersOf(buyer)).toMatchObject([{ test: true, stockReturned: true }])
    expect(await contradictionsIn(shop.db)).toEqual({})
    const { body } = await live.start(buyer, order)
    const bought = await live.verify(buyer, razorpay.pay(body.id))
    expect(bought).toMatchObject({ status: 200, body: { order: { total: 27 } } })
    await live.app.close()

    const again = await openLive()
    expect([await stockOf(cup), await stockOf(pot), await usesOf(shop, coupon)]).toEqual([3, 4, 1])
    expect(await contradictionsIn(shop.db)).toEqual({})
    expect(await selectStock(shop.db)).toContainEqual({ id: cup.id, free: 3, reserved: 0, sold: 2 })
    await again.app.close()
  })
})
