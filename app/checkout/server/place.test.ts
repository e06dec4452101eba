/** The place of a delivery decides about tax and shipping, so a payment has to name it where they differ. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FieldProblem } from '#app/shared/contract/failure.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory } from '#tests/support/catalogue.ts'
import { emptyTables } from '#tests/support/empty-tables.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { ADDRESS, addShipped, addZone, FLAT } from '#tests/support/shipping.ts'
import { testShop } from '#tests/support/shop.ts'
import { addTaxRate, TAX_SETTINGS } from '#tests/support/taxes.ts'
import type { Quote } from '../contract.ts'

const shop = testShop()
const { start, verify, stockOf } = purchases(shop)

let admin: Person
let buyer: Person
let cup: { id: string }
let file: { id: string }
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  const category = await addCategory(shop.db, 'Kitchen')
  cup = await addShipped(shop, category)
  file = await addShipped(shop, category, { shipping: false })
})
beforeEach(async () => {
  buyer = await addPerson(shop.db)
  await emptyTables(shop.db, ['tax_rates', 'settings', 'shipping_zones'])
})

type Refused = { code: string; fields?: FieldProblem[]; message: string }

const LOS_ANGELES = { ...ADDRESS, city: 'Los Angeles', region: 'CA', country: 'US' }
const BERLIN = { ...ADDRESS, city: 'Berlin', region: '', country: 'DE' }

const settle = (facts: object) =>
  shop.put('/tax/settings', { token: admin.token, body: { ...TAX_SETTINGS, ...facts } })

const quote = async (product: { id: string }, delivery?: object) => {
  const body = { cart: cartOf(product), delivery }
  return (await shop.post<Quote & Refused>('/checkout/quote', { body })).body
}
const pay = (product: { id: string }, amount: number, delivery?: object) =>
  start<Refused & { id: string }>(buyer, { amount, cart: cartOf(product), delivery })

const refusal = (field: string) => ({
  status: 400,
  body: {
    code: 'invalid',
    message: expect.stringMatching(/^Please /),
    fields: [{ field, message: expect.stringMatching(/^Please /) }],
  },
})

/** Rates of two states, added to the prices, and no default place. */
async function taxStates() {
  await settle({ country: null })
  await addTaxRate(shop.db, { country: 'US', region: 'CA', name: 'Sales tax', rate: 9_500 })
  await addTaxRate(shop.db, { country: 'US', region: 'TX', name: 'Sales tax', rate: 8_250 })
}

describe('in a shop whose tax differs by place', () => {
  beforeEach(taxStates)

  it('a buyer without an address cannot pay, neither the price nor the price with tax', async () => {
    for (const product of [cup, file])
      for (const amount of [1250, 1369])
        expect(await pay(product, amount)).toMatchObject(refusal('delivery.country'))
    expect(await stockOf(cup)).toBe(10)
  })

  it('the region is required, and has to be one of the country', async () => {
    for (const region of ['', ' ', undefined, 'Calif.', 'KA']) {
      const delivery = { ...LOS_ANGELES, region }
      expect(await pay(cup, 1250, delivery)).toMatchObject(refusal('delivery.region'))
    }
    expect((await pay(cup, 1369, { ...LOS_ANGELES, region: 'california' })).status).toBe(200)
  })

  it('a quote says which part of the address is missing, and is an estimate until then', async () => {
    const missing = async (delivery?: object) => {
      const { notices, needsDelivery, totalMinor } = await quote(cup, delivery)
      expect({ needsDelivery, totalMinor }).toEqual({ needsDelivery: true, totalMinor: 1250 })
      return notices.map(({ about, source }) => [about, source])
    }
    expect(await missing()).toEqual([['delivery', 'delivery.country']])
    expect(await missing({ country: 'US' })).toEqual([['delivery', 'delivery.region']])
    expect(await quote(cup, { country: 'US', region: 'CA' })).toMatchObject({
      notices: [],
      totalMinor: 1369,
    })
    expect(await missing({ country: 'DE' })).toEqual([])
  })

  it('an unknown region is refused in a quote and in the profile, too', async () => {
    const delivery = { ...LOS_ANGELES, region: 'Calif.' }
    expect(await quote(cup, delivery)).toMatchObject(refusal('delivery.region').body)
    const { token } = buyer
    const reply = await shop.put<Refused>('/auth/profile', { token, body: { delivery } })
    expect(reply).toMatchObject(refusal('delivery.region'))
    const unknown = { ...LOS_ANGELES, country: 'XX' }
    expect(await quote(cup, unknown)).toMatchObject({
      code: 'invalid',
      fields: [{ field: 'delivery.country' }],
    })
  })

  it('an order of Los Angeles has the tax of California', async () => {
    const { body } = await pay(cup, 1369, LOS_ANGELES)
    const { order } = (await verify(buyer, signedPayment(body.id))).body
    expect(order.adjustments).toEqual([{ kind: 'tax', label: 'Sales tax 9.5 %', amount: 1.19 }])
  })
})

describe('buyers abroad', () => {
  it.each([
    [false, 1475],
    [true, 1250],
  ])('pay no domestic tax, also for files (prices include tax: %s)', async (included, domestic) => {
    await settle({ pricesIncludeTax: included })
    await addTaxRate(shop.db)
    for (const product of [cup, file]) {
      expect(await quote(product, { country: 'DE' })).toMatchObject({
        adjustments: [],
        totalMinor: 1250,
        needsDelivery: true,
      })
      expect(await quote(product, ADDRESS)).toMatchObject({
        adjustments: [{ label: 'GST 18 %' }],
        totalMinor: domestic,
      })
    }
    const { body } = await pay(file, 1250, BERLIN)
    const { order } = (await verify(buyer, signedPayment(body.id))).body
    expect(order).toMatchObject({ total: 12.5 })
    expect(order).not.toHaveProperty('adjustments')
  })

  it('are not asked for their address where prices include the only tax', async () => {
    await settle({ pricesIncludeTax: true })
    await addTaxRate(shop.db)
    expect(await quote(cup)).not.toHaveProperty('needsDelivery')
    expect((await pay(cup, 1250)).status).toBe(200)
    await settle({ pricesIncludeTax: false })
    expect(await pay(cup, 1475)).toMatchObject(refusal('delivery.country'))
  })
})

describe('in a shop whose shipping differs by place', () => {
  const free = [{ ...FLAT, price: 0 }]

  it('a buyer without an address, or without its region, does not get the price of another place', async () => {
    await addZone(shop, admin, { name: 'Rest', isDefault: true, places: [], rates: free })
    const places = [{ country: 'US', region: 'AK' }]
    await addZone(shop, admin, { name: 'Alaska', places, rates: [{ ...FLAT, price: 50 }] })
    const anchorage = { ...LOS_ANGELES, city: 'Anchorage', region: 'AK' }
    expect(await pay(cup, 1250)).toMatchObject(refusal('delivery.country'))
    expect(await pay(cup, 1250, { ...anchorage, region: '' })).toMatchObject(
      refusal('delivery.region'),
    )
    expect(await pay(cup, 1250, anchorage)).toMatchObject({ status: 409 })
    expect((await pay(cup, 6250, anchorage)).status).toBe(200)
    expect((await pay(file, 1250)).status).toBe(200)
  })

  it('the region is required in a country of which a region has a zone or a rate', async () => {
    await addZone(shop, admin, { name: 'Rest', isDefault: true, places: [], rates: free })
    expect((await pay(cup, 1250, BERLIN)).status).toBe(200)
    const places = [{ country: 'DE', region: 'Helgoland' }]
    const island = await addZone(shop, admin, { name: 'Island', places, rates: [FLAT] })
    expect(await pay(cup, 1250, BERLIN)).toMatchObject(refusal('delivery.region'))
    expect((await pay(cup, 1250, { ...BERLIN, region: 'Berlin' })).status).toBe(200)
    await shop.delete(`/shipping/zone/${island._id}`, { token: admin.token })
    await addTaxRate(shop.db, { country: 'DE', region: 'HELGOLAND', rate: 0 })
    expect(await pay(cup, 1250, BERLIN)).toMatchObject(refusal('delivery.region'))
  })

  it('no address is required where one zone takes every place', async () => {
    await addZone(shop, admin, { isDefault: true, rates: [FLAT] })
    expect(await quote(cup)).toMatchObject({ needsDelivery: true, notices: [], totalMinor: 5250 })
    expect((await pay(cup, 5250)).status).toBe(200)
  })
})

describe('an amount without a cart', () => {
  const amountOnly = () =>
    start<Refused & { id: string }>(buyer, { amount: 1250, delivery: LOS_ANGELES })

  it('is refused where tax differs by place, also where prices include it', async () => {
    expect((await amountOnly()).status).toBe(200)
    await taxStates()
    expect(await amountOnly()).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await settle({ country: null, pricesIncludeTax: true })
    expect(await amountOnly()).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  it('buys nothing without a place when tax came to differ by place after its start', async () => {
    const left = await stockOf(cup)
    const { body } = await start<{ id: string }>(buyer, { amount: 1250 })
    await taxStates()
    const proof = signedPayment(body.id)
    expect(await verify(buyer, proof, cartOf(cup))).toMatchObject({ status: 400 })
    expect(await stockOf(cup)).toBe(left)
  })

  it('is refused where only some places have free shipping', async () => {
    const rates = [{ ...FLAT, price: 0 }]
    await addZone(shop, admin, { name: 'Rest', isDefault: true, places: [], rates })
    expect((await amountOnly()).status).toBe(200)
    await addZone(shop, admin, { rates: [FLAT] })
    expect(await amountOnly()).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })
})
