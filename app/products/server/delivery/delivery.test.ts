/** What the answer of a product says about its delivery, also where it is kept. */
import { beforeEach, expect, it } from 'vitest'
import type { DetailedProduct } from '#app/products/contract.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import type { ShippingRate, ShippingZone } from '#app/shipping/admin-contract.ts'
import type { Row } from '#db/schema.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { testCachedShop } from '#tests/support/cached-shop.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { addShipped, addZone, BY_WEIGHT, FLAT, removeZones } from '#tests/support/shipping.ts'
import { option, variantCallsOf, variantOf } from '#tests/support/variant-calls.ts'

let admin: Person
let category: Row<'categories'>
const shop = testCachedShop({
  settings: { TRUST_PROXY: '127.0.0.1', CURRENCY_DISPLAY: 'USD' },
  async fill(db) {
    admin = await addPerson(db, { admin: true })
    category = await addCategory(db, 'Kitchen')
  },
})
const settings = settingsThrough(shop, () => admin)
beforeEach(async () => {
  await removeZones(shop)
  await settings.save({ country: 'DE' })
})

/** A visitor who edits nothing. */
const VISITOR = { headers: { 'x-forwarded-for': '203.0.113.1' } }

async function deliveryOf({ slug }: { slug: string }) {
  const { bytes } = await shop.ask(`${API_PREFIX}/product/get-product/${slug}`, VISITOR)
  const { product }: { product: DetailedProduct } = JSON.parse(bytes.toString())
  return product.delivery
}

const shipped = (facts = {}) => addShipped(shop, category, facts)
const PICKUP: ShippingRate = { name: 'Pick-up', kind: 'pickup', days: { least: 0, most: 0 } }
const POST: ShippingRate = { name: 'Post', kind: 'flat', price: 4.9, days: { least: 2, most: 4 } }
const EXPRESS: ShippingRate = { ...FLAT, name: 'Express', days: { least: 1, most: 1 } }

const germany = (...rates: ShippingRate[]) =>
  addZone(shop, admin, { name: 'Germany', places: [{ country: 'DE' }], rates })
const change = (zone: ShippingZone, facts: object) =>
  shop.put(`/shipping/zone/${zone._id}`, { token: admin.token, body: { ...zone, ...facts } })

it('has the cheapest rate that is no pick-up, with its days', async () => {
  await germany(PICKUP, EXPRESS, POST)
  const lamp = await shipped()
  expect(await deliveryOf(lamp)).toEqual({
    country: 'DE',
    price: 4.9,
    days: { least: 2, most: 4 },
    text: 'Delivered to Germany from $4.90, 2–4 working days',
  })
  await settings.save({ locale: 'de-DE', currencyDisplay: 'EUR' })
  expect((await deliveryOf(lamp))?.text).toContain('from 4,90\u00a0€, 2–4')
  await settings.save({ locale: 'en-US', currencyDisplay: 'USD' })
})

it.each([
  [0, 0, 'on the same working day'],
  [0, 1, '0–1 working days'],
  [1, 1, '1 working day'],
  [2, 2, '2 working days'],
])('says of %i to %i days: %s', async (least, most, text) => {
  await germany({ ...POST, days: { least, most } })
  expect(await deliveryOf(await shipped())).toMatchObject({
    text: `Delivered to Germany from $4.90, ${text}`,
  })
})

it('costs what a cart with one piece costs, by its weight and price', async () => {
  await germany(BY_WEIGHT, { ...FLAT, freeFrom: 12.5 })
  const free = await shipped({ weight_grams: 400 })
  expect(await deliveryOf(free)).toEqual({
    country: 'DE',
    price: 0,
    text: 'Free delivery to Germany',
  })
  await removeZones(shop)
  await germany(BY_WEIGHT, { ...FLAT, freeFrom: 12.51 })
  const asked = { cart: [{ _id: '' }], delivery: { country: 'DE' } }
  for (const [weight_grams, price] of [
    [400, 10],
    [501, 20.5],
    [3000, 40],
  ] as const) {
    const product = await shipped({ weight_grams })
    expect(await deliveryOf(product)).toMatchObject({ price })
    const body = { ...asked, cart: [{ _id: product.id }] }
    const quote = await shop.post<{ adjustments: object[] }>('/checkout/quote', { body })
    expect(quote.body.adjustments).toMatchObject([{ kind: 'shipping', amountMinor: price * 100 }])
  }
})

it('is not said to be free where it is not for each variant', async () => {
  await germany({ ...POST, freeFrom: 15 })
  const { id, slug } = await shipped()
  const variants = variantCallsOf(shop, () => admin.token)
  const made = await variants.make(id, [option(1, 'Size', 'S', 'M')], { price: 20 })
  expect(await deliveryOf({ slug })).toMatchObject({ price: 4.9 })
  const { _id, updatedAt } = variantOf(made, 'S')
  const { status } = await variants.save(id, {
    changed: [{ _id, updatedAt, price: { from: 12.5, to: 15 } }],
  })
  expect(status).toBe(200)
  await expect.poll(() => deliveryOf({ slug })).toMatchObject({ price: 0 })
})

it('is absent where nothing is shipped, and where no zone says what it costs', async () => {
  const lamp = await shipped()
  expect(await deliveryOf(lamp)).toBeUndefined()
  const zone = await germany(POST)
  expect(await deliveryOf(await addProduct(shop.db, { category }))).toBeUndefined()
  await change(zone, { rates: [PICKUP] })
  expect(await deliveryOf(await shipped())).toBeUndefined()
  await removeZones(shop)
  const whole = { country: 'DE' }
  const bavaria = { ...whole, region: 'Bavaria' }
  await addZone(shop, admin, { places: [whole, bavaria, { country: 'IN' }] })
  // what it costs there depends on the region
  expect(await deliveryOf(await shipped())).toBeUndefined()
  await settings.save({ country: 'FR' })
  expect(await deliveryOf(await shipped())).toBeUndefined()
  await addZone(shop, admin, { name: 'World', isDefault: true, places: [], rates: [POST] })
  expect(await deliveryOf(await shipped())).toMatchObject({ country: 'FR', price: 4.9 })
  await settings.save({ country: '' })
  expect(await deliveryOf(await shipped())).toBeUndefined()
})

it('is seen at once on kept answers when a rate or the country of the shop is changed', async () => {
  const zone = await germany(POST)
  const lamp = await shipped()
  expect(await deliveryOf(lamp)).toMatchObject({ price: 4.9 })
  expect(await shop.madeBy(() => deliveryOf(lamp))).toBe(0)

  await change(zone, { rates: [{ ...POST, price: 5.9, days: { least: 3, most: 3 } }] })
  expect(await deliveryOf(lamp)).toMatchObject({
    price: 5.9,
    text: 'Delivered to Germany from $5.90, 3 working days',
  })

  await settings.save({ country: 'IN' })
  expect(await deliveryOf(lamp)).toBeUndefined()
})
