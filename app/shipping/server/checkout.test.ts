import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Quote } from '#app/checkout/contract.ts'
import type { Order } from '#app/orders/contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory } from '#tests/support/catalogue.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import {
  ADDRESS,
  ADDRESS_TEXT,
  addShipped,
  addZone,
  BY_WEIGHT,
  EXPRESS,
  FLAT,
  removeZones,
} from '#tests/support/shipping.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
const { start, verify, ordersOf, stockOf } = purchases(shop)

let admin: Person
let buyer: Person
let category: { id: string }
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  category = await addCategory(shop.db, 'Kitchen')
})
beforeEach(async () => {
  buyer = await addPerson(shop.db)
  await removeZones(shop)
})

const MYSURU = { country: 'IN', region: 'KA' }

const addCup = (facts?: Parameters<typeof addShipped>[2]) => addShipped(shop, category, facts)

const quote = async (body: object) => {
  const reply = await shop.post<Quote & { code?: string; message?: string }>('/checkout/quote', {
    body,
  })
  return { status: reply.status, ...reply.body }
}

type Refused = { code: string; message: string; quote?: Quote }

const pay = (body: { amount: unknown; cart?: unknown } & Record<string, unknown>) =>
  start<Refused>(buyer, body)

/** Pays, and answers the order. */
async function bought(
  body: { amount: number; cart: unknown } & Record<string, unknown>,
): Promise<Order> {
  const started = await start(buyer, body)
  expect(started.status).toBe(200)
  return (await verify(buyer, signedPayment(started.body.id))).body.order
}

describe('POST /checkout/quote with shipping', () => {
  it('is as it always was in a shop without zones', async () => {
    const cart = cartOf(await addCup())
    const { status: _, ...plain } = await quote({ cart })
    expect(plain).toMatchObject({ adjustments: [], totalMinor: 1250, notices: [] })
    expect(await quote({ cart, delivery: ADDRESS })).toEqual({ status: 200, ...plain })
    expect(Object.keys(plain).filter((name) => /shipping|delivery/i.test(name))).toEqual([])
  })

  it('adds the cheapest rate of the place, or the chosen one', async () => {
    const { rates } = await addZone(shop, admin)
    const cart = cartOf(await addCup())
    const [standard, express] = rates
    const cheapest = await quote({ cart, delivery: MYSURU })
    expect(cheapest).toMatchObject({
      needsDelivery: true,
      shippingChoices: [
        { _id: standard?._id, label: 'Standard', amountMinor: 4000 },
        { _id: express?._id, label: 'Express', amountMinor: 9000 },
      ],
      shippingRate: standard?._id,
      adjustments: [
        { kind: 'shipping', label: 'Standard', amountMinor: 4000, source: standard?._id },
      ],
      subtotalMinor: 1250,
      totalMinor: 5250,
      notices: [],
    })
    const chosen = await quote({ cart, delivery: MYSURU, shippingRate: express?._id })
    expect(chosen).toMatchObject({ shippingRate: express?._id, totalMinor: 10_250 })
  })

  it('prefers the zone of a region, and takes the default where none has the place', async () => {
    await addZone(shop, admin, { rates: [FLAT] })
    const places = [{ country: 'IN', region: 'KA' }]
    await addZone(shop, admin, { name: 'Karnataka', places, rates: [{ ...FLAT, price: 5 }] })
    const cart = cartOf(await addCup())
    const totalAt = async (delivery?: object) => (await quote({ cart, delivery })).totalMinor
    expect(await totalAt({ country: 'IN', region: 'karnataka' })).toBe(1750)
    expect(await totalAt({ country: 'IN', region: 'MH' })).toBe(5250)
    const rest = { name: 'Rest', isDefault: true, places: [], rates: [{ ...FLAT, price: 100 }] }
    await addZone(shop, admin, rest)
    expect(await totalAt({ country: 'NO' })).toBe(11_250)
    expect(await totalAt()).toBe(11_250)
  })

  it('has no shipping for products that need none', async () => {
    await addZone(shop, admin)
    const file = await addCup({ shipping: false })
    const plain = await quote({ cart: cartOf(file) })
    expect(plain).toMatchObject({ adjustments: [], totalMinor: 1250, notices: [] })
    expect(plain).not.toHaveProperty('shippingChoices')
    const mixed = await quote({ cart: cartOf(file, await addCup()), delivery: { country: 'IN' } })
    expect(mixed.totalMinor).toBe(6500)
  })

  it('goes by weight, an unknown one as nothing', async () => {
    await addZone(shop, admin, { rates: [BY_WEIGHT] })
    const [light, heavy] = [await addCup(), await addCup({ weight_grams: 501 })]
    const delivery = MYSURU
    expect((await quote({ cart: cartOf(light), delivery })).totalMinor).toBe(2250)
    expect((await quote({ cart: cartOf(heavy), delivery })).totalMinor).toBe(3300)
    const tooMany = cartOf(heavy, heavy, heavy, heavy)
    expect(await quote({ cart: tooMany, delivery })).toMatchObject({
      shippingChoices: [],
      notices: [
        {
          about: 'shipping',
          message: 'This cart is too large to be delivered to Karnataka, India.',
        },
      ],
    })
  })

  it('says kindly that a place is not delivered to', async () => {
    await addZone(shop, admin)
    const message = 'We do not deliver to Norway yet.'
    const reply = await quote({ cart: cartOf(await addCup()), delivery: { country: 'NO' } })
    expect(reply).toMatchObject({
      status: 200,
      totalMinor: 1250,
      shippingChoices: [],
      notices: [{ about: 'shipping', message }],
    })
  })

  it.each([
    { delivery: { country: 'XX' } },
    { delivery: { country: 'in' } },
    { delivery: { country: 'IND' } },
    { delivery: {} },
    { delivery: 'India' },
    { delivery: { country: 'IN', region: 7 } },
    { delivery: { country: 'IN', region: 'x'.repeat(101) } },
    { shippingRate: 'standard' },
    { shippingRate: 1 },
  ])('refuses %j', async (wrong) => {
    await addZone(shop, admin)
    expect(await quote({ cart: cartOf(await addCup()), ...wrong })).toMatchObject({
      status: 400,
      code: 'invalid',
    })
  })
})

describe('POST /product/razorpay/order with shipping', () => {
  it('sells at the rate, and the order has the address in parts and as text', async () => {
    const { rates } = await addZone(shop, admin)
    const cart = cartOf(await addCup())
    const shippingRate = rates[1]?._id
    const delivery = { ...ADDRESS, region: 'karnataka', street: ' 7 Temple Road ', other: 'x' }
    const order = await bought({ amount: 10_250, cart, delivery, shippingRate })
    expect(order.total).toBe(102.5)
    expect(order.delivery).toEqual({
      name: 'Meera Rao',
      email: buyer.email,
      phone: '555 0177',
      address: ADDRESS_TEXT,
      isChanged: false,
      parts: ADDRESS,
    })
    expect((await ordersOf(buyer)).map(({ delivery }) => delivery)).toEqual([order.delivery])
    const rows = await shop.db
      .selectFrom('order_adjustments')
      .where('order_id', '=', order._id)
      .select(['kind', 'label', 'source', 'amount_minor'])
      .execute()
    expect(rows).toEqual([
      { kind: 'shipping', label: 'Express', source: shippingRate, amount_minor: 9000 },
    ])
  })

  it('takes the free text of the profile where nothing else is given', async () => {
    await addZone(shop, admin, { isDefault: true })
    const order = await bought({ amount: 5250, cart: cartOf(await addCup()) })
    expect(order.delivery).toMatchObject({ name: buyer.name, address: '1 Market Lane' })
    expect(order.delivery).not.toHaveProperty('parts')
  })

  it('refuses a place that is not delivered to, before anything is reserved', async () => {
    await addZone(shop, admin)
    const cup = await addCup()
    const cart = cartOf(cup)
    const abroad = { ...ADDRESS, country: 'NO', region: '' }
    for (const [delivery, message] of [
      [abroad, 'We do not deliver to Norway yet.'],
      [undefined, 'Please enter your delivery address with its country.'],
    ]) {
      const reply = await pay({ amount: 1250, cart, delivery })
      expect(reply).toMatchObject({ status: 400, body: { code: 'invalid', message } })
    }
    expect(await stockOf(cup)).toBe(10)
  })

  it('answers the new quote when the place, the rate or the weight changed since', async () => {
    const zone = await addZone(shop, admin)
    const cup = await addCup()
    const cart = cartOf(cup)
    const [standard, express] = zone.rates
    const agreed = { amount: 5250, cart, delivery: ADDRESS, shippingRate: standard?._id }
    await addZone(shop, admin, { name: 'Norway', places: [{ country: 'NO' }], rates: [EXPRESS] })
    const moved = await pay({ ...agreed, delivery: { ...ADDRESS, country: 'NO', region: '' } })
    expect(moved).toMatchObject({
      status: 409,
      body: { code: 'price_changed', quote: { totalMinor: 10_250 } },
    })
    await shop.put(`/shipping/zone/${zone._id}`, {
      token: admin.token,
      // the same price, and another rate
      body: { ...zone, rates: [{ ...FLAT, name: 'Post' }, express] },
    })
    const gone = await pay(agreed)
    expect(gone).toMatchObject({
      status: 409,
      body: {
        code: 'price_changed',
        message:
          'The chosen shipping is no longer available. Please check your cart before you pay.',
        quote: { totalMinor: 5250, notices: [] },
      },
    })
    expect(await stockOf(cup)).toBe(10)
    const { body } = gone
    expect((await pay({ ...agreed, shippingRate: body.quote?.shippingRate })).status).toBe(200)
  })

  it.each([
    [{ name: '' }, 'delivery'],
    [{ street: undefined }, 'delivery'],
    [{ city: ' ' }, 'delivery'],
    [{ phone: 'x'.repeat(51) }, 'delivery'],
    [{ country: 'XX' }, 'country'],
    [{ postalCode: 'x'.repeat(21) }, 'delivery'],
    [{ street: 'a\0b' }, 'delivery'],
  ])('refuses an address with %j', async (wrong, field) => {
    await addZone(shop, admin)
    const cart = cartOf(await addCup())
    const reply = await pay({ amount: 5250, cart, delivery: { ...ADDRESS, ...wrong } })
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid' } })
    expect(reply.body.message).toContain(field)
  })

  it('is not started by an amount without its cart where shipping may cost something', async () => {
    const amountOnly = { amount: 1250, delivery: ADDRESS }
    const started = await start(buyer, amountOnly)
    const { body } = await verify(buyer, signedPayment(started.body.id), cartOf(await addCup()))
    expect(body.order).toMatchObject({ total: 12.5, delivery: { address: ADDRESS_TEXT } })
    await addZone(shop, admin)
    expect(await start(buyer, amountOnly)).toMatchObject({
      status: 409,
      body: { code: 'conflict', message: expect.stringContaining('Send the cart') },
    })
  })
})
