import { v7 as uuidv7 } from 'uuid'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Quote } from '#app/checkout/contract.ts'
import type { Row } from '#db/schema.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { addCoupon, usesOf } from '#tests/support/coupons.ts'
import { cartOf, moneyOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { ADDRESS, addZone } from '#tests/support/shipping.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
const { start, verify, expireReservations, ordersOf } = purchases(shop)

let admin: Person
let cup: { id: string }
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  const category = await addCategory(shop.db, 'Kitchen')
  cup = await addProduct(shop.db, { category, price: 10, quantity: 1000 })
})
beforeEach(async () => {
  for (const table of ['coupon_uses', 'coupons', 'shipping_zones'] as const)
    await shop.db.deleteFrom(table).execute()
})

/** An automatic discount; by default it takes 10 % off everything. */
const sale = (facts: Partial<Row<'coupons'>> = {}) => {
  const id = uuidv7()
  return addCoupon(shop.db, { id, code: id, title: 'Spring sale', ...facts })
}

const quote = async (body: object = {}, person?: Person) =>
  (
    await shop.post<Quote>('/checkout/quote', {
      body: { cart: cartOf(cup), automaticDiscounts: true, ...body },
      ...(person && { token: person.token }),
    })
  ).body

const START = { cart: () => cartOf(cup), automaticDiscounts: true }
const startWith = (buyer: Person, amount: number, rest: object = {}) =>
  start(buyer, { amount, ...START, cart: START.cart(), ...rest })

const DAY = 24 * 60 * 60_000

describe('an automatic discount', () => {
  it('is a line of the cart, and is counted as a coupon is', async () => {
    const discount = await sale({ max_uses: 1 })
    expect(await quote()).toMatchObject({
      adjustments: [
        { kind: 'discount', label: 'Spring sale', source: discount.id, amountMinor: -100 },
      ],
      totalMinor: 900,
      notices: [],
    })
    const buyer = await addPerson(shop.db)
    const { body } = await startWith(buyer, 900)
    expect(await usesOf(shop, discount)).toBe(1)
    expect(await quote()).toMatchObject({ adjustments: [], totalMinor: 1000 })
    const paid = await verify(buyer, signedPayment(body.id))
    expect(paid).toMatchObject({ status: 200, body: { order: { total: 9 } } })
    expect(await usesOf(shop, discount)).toBe(1)
    expect(await contradictionsIn(shop.db)).toEqual({})
  })

  it.each<[string, Partial<Row<'coupons'>>]>([
    ['has ended', { ends_at: new Date(Date.now() - DAY) }],
    ['has not begun', { starts_at: new Date(Date.now() + DAY) }],
    ['was deleted', { deleted_at: new Date() }],
  ])('does not apply when it %s', async (_, facts) => {
    await sale(facts)
    expect(await quote()).toMatchObject({ adjustments: [], totalMinor: 1000, notices: [] })
  })

  it('is given to no client that does not ask for it, which pays the sum of the prices', async () => {
    const discount = await sale()
    const buyer = await addPerson(shop.db)
    const { body } = await start(buyer, { amount: 1000, cart: cartOf(cup) })
    expect(await verify(buyer, signedPayment(body.id))).toMatchObject({
      status: 200,
      body: { order: { total: 10 } },
    })
    const bare = await start(buyer, { amount: 1000 })
    expect(bare.status).toBe(200)
    const sold = await verify(buyer, signedPayment(bare.body.id), cartOf(cup))
    expect(sold).toMatchObject({ status: 200, body: { order: { total: 10 } } })
    expect(await usesOf(shop, discount)).toBe(0)
  })

  it('cannot be used by its id as a code', async () => {
    const { id } = await sale()
    expect(await quote({ automaticDiscounts: false, couponCodes: [id] })).toMatchObject({
      adjustments: [],
      notices: [{ message: 'There is no such code.' }],
    })
  })

  it('makes an order free that is placed at once, and once', async () => {
    const discount = await sale({ percent: 100 })
    const buyer = await addPerson(shop.db)
    const first = await startWith(buyer, 0)
    expect(first).toMatchObject({ status: 200, body: { order: { total: 0 } } })
    const again = await startWith(buyer, 0)
    expect(again.body.id).toBe(first.body.id)
    expect(await usesOf(shop, discount)).toBe(1)
  })

  it('is honoured for money that comes late, while it applies', async () => {
    const discount = await sale()
    const buyer = await addPerson(shop.db)
    const pay = async () => {
      const { body } = await startWith(buyer, 900)
      await expireReservations()
      // beyond the hour in which the quote is honoured whatever it costs today
      await shop.db
        .updateTable('payments')
        .set({ reserved_until: new Date(Date.now() - 2 * 60 * 60_000) })
        .where('provider_order_id', '=', body.id)
        .execute()
      return signedPayment(body.id)
    }
    expect(await verify(buyer, await pay())).toMatchObject({ status: 200 })
    const proof = await pay()
    await shop.db.updateTable('coupons').set({ percent: 5 }).execute()
    expect(await verify(buyer, proof)).toMatchObject({ status: 409 })
    expect(await moneyOf(shop, proof.razorpay_order_id)).toMatchObject([{ state: 'refunded' }])
    expect(await usesOf(shop, discount)).toBe(1)
  })
})

describe('a discount for some customers', () => {
  it('for confirmed addresses is not shown to guests, who have none', async () => {
    await sale({ audience: 'confirmed' })
    expect((await quote()).totalMinor).toBe(1000)
    expect((await quote({}, await addPerson(shop.db))).totalMinor).toBe(1000)
    const confirmed = await addPerson(shop.db, { isConfirmed: true })
    expect((await quote({}, confirmed)).totalMinor).toBe(900)
  })

  it('for chosen customers applies to them', async () => {
    const [asha, ben] = [await addPerson(shop.db), await addPerson(shop.db)]
    await sale({ audience: 'chosen', user_ids: [asha.id] })
    expect((await quote({}, asha)).totalMinor).toBe(900)
    expect((await quote({}, ben)).totalMinor).toBe(1000)
    expect((await quote()).totalMinor).toBe(1000)
  })

  it('for a first order applies until there is one that is not cancelled', async () => {
    await sale({ audience: 'first_order' })
    const buyer = await addPerson(shop.db)
    expect((await quote()).totalMinor).toBe(900)
    const { body } = await startWith(buyer, 900)
    expect((await quote({}, buyer)).totalMinor).toBe(900)
    const { order } = (await verify(buyer, signedPayment(body.id))).body
    expect((await quote({}, buyer)).totalMinor).toBe(1000)
    await shop.db
      .updateTable('orders')
      .set({ status: 'cancel' })
      .where('id', '=', order._id)
      .execute()
    expect((await quote({}, buyer)).totalMinor).toBe(900)
  })

  it('for a first order is refused to a late payment after another order', async () => {
    await sale({ audience: 'first_order' })
    const buyer = await addPerson(shop.db)
    const late = (await startWith(buyer, 900)).body
    await expireReservations()
    const { body } = await start(buyer, { amount: 1000, cart: cartOf(cup) })
    expect((await verify(buyer, signedPayment(body.id))).status).toBe(200)
    expect(await verify(buyer, signedPayment(late.id))).toMatchObject({
      status: 409,
      body: { code: 'price_changed' },
    })
    expect(await ordersOf(buyer)).toHaveLength(1)
  })
})

describe('free delivery', () => {
  const RATES = [
    { name: 'Standard', kind: 'flat' as const, price: 5 },
    { name: 'Express', kind: 'flat' as const, price: 15 },
  ]

  it('by code or automatic: the cheapest rate costs nothing, and its use is counted', async () => {
    const delivery = ADDRESS
    await shop.db.updateTable('products').set({ shipping: true }).execute()
    await addZone(shop, admin, { rates: RATES })
    const free = { percent: null, is_free_shipping: true }
    const discount = await sale({ ...free, title: 'Free from 10', minimum_minor: 1000 })
    const quoted = await quote({ delivery })
    expect(quoted).toMatchObject({
      adjustments: [
        { kind: 'discount', label: 'Free from 10', amountMinor: 0 },
        { kind: 'shipping', label: 'Standard', amountMinor: 0 },
      ],
      totalMinor: 1000,
    })
    expect(quoted.shippingChoices?.map(({ amountMinor }) => amountMinor)).toEqual([0, 1500])
    const shippingRate = quoted.shippingChoices?.[1]?._id
    expect(await quote({ delivery, shippingRate })).toMatchObject({
      adjustments: [{ kind: 'shipping', label: 'Express', amountMinor: 1500 }],
      notices: [],
    })
    const buyer = await addPerson(shop.db)
    const { body } = await startWith(buyer, 1000, { delivery })
    expect((await verify(buyer, signedPayment(body.id))).status).toBe(200)
    expect(await usesOf(shop, discount)).toBe(1)
    await addCoupon(shop.db, { code: 'FREESHIP', ...free })
    const byCode = { delivery, automaticDiscounts: false, couponCodes: ['freeship'] }
    expect(await quote(byCode)).toMatchObject({
      adjustments: [{ label: 'Free delivery FREESHIP' }, { amountMinor: 0 }],
      totalMinor: 1000,
    })
    expect(await quote({ ...byCode, shippingRate })).toMatchObject({
      totalMinor: 2500,
      notices: [{ message: 'This code makes Standard free. Choose it to use the code.' }],
    })
  })
})
