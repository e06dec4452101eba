import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RATE_KINDS } from '../admin-contract.ts'
import { type Line, priceOf, type Rate, shippingOf, type Zone, zoneOf } from './rates.ts'

const line = (facts: Partial<Line> = {}): Line => ({
  price_minor: 1000,
  quantity: 1,
  discount_minor: 0,
  needs_shipping: true,
  weight_grams: null,
  ...facts,
})
const rate = (facts: Partial<Rate> = {}): Rate => ({
  id: 'standard',
  name: 'Standard',
  kind: 'flat',
  price_minor: 500,
  tiers: null,
  free_from_minor: null,
  least_days: null,
  most_days: null,
  ...facts,
})
const zone = (facts: Partial<Zone> = {}): Zone => ({
  is_default: false,
  places: [],
  rates: [rate()],
  ...facts,
})

const COUNTRIES = ['IN', 'NO', 'US']
const REGIONS = ['KA', 'MH']

const place = fc.record({
  country: fc.constantFrom(...COUNTRIES),
  region: fc.option(fc.constantFrom(...REGIONS)),
})
const money = fc.integer({ min: 0, max: 1_000_000 })
const lines = fc.array(
  fc
    .record({
      price_minor: money,
      quantity: fc.integer({ min: 1, max: 20 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      needs_shipping: fc.boolean(),
      weight_grams: fc.option(fc.integer({ min: 0, max: 100_000 })),
    })
    .map(
      ({ share, ...one }): Line => ({
        ...one,
        discount_minor: Math.floor(one.price_minor * one.quantity * share),
      }),
    ),
  { maxLength: 6 },
)
const tiers = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 1, max: 200_000 }), { minLength: 1, maxLength: 5 }),
    fc.boolean(),
    fc.array(money, { minLength: 6, maxLength: 6 }),
  )
  .map(([ends, hasEnd, prices]) =>
    [...ends.toSorted((a, b) => a - b), ...(hasEnd ? [] : [null])].map((up_to, at) => ({
      up_to,
      price_minor: prices[at] ?? 0,
    })),
  )
const rates = fc.array(
  fc
    .record({
      id: fc.uuid(),
      kind: fc.constantFrom(...RATE_KINDS),
      price_minor: money,
      tiers,
      free_from_minor: fc.option(money),
    })
    .map(({ tiers, price_minor, ...one }): Rate => {
      const hasTiers = one.kind === 'weight' || one.kind === 'amount'
      return {
        ...one,
        name: one.id,
        price_minor: hasTiers ? null : price_minor,
        least_days: null,
        most_days: null,
        tiers: hasTiers ? tiers : null,
      }
    }),
  { minLength: 1, maxLength: 5 },
)
/** Zones as the database allows them: a place belongs to one, and one at most is the default. */
const zones = fc
  .tuple(
    fc.uniqueArray(place, { selector: ({ country, region }) => `${country} ${region}` }),
    fc.array(rates, { minLength: 1, maxLength: 4 }),
    fc.boolean(),
  )
  .map(([places, all, hasDefault]) =>
    all.map(
      (rates, at): Zone => ({
        is_default: hasDefault && at === 0,
        places: places.filter((_, of) => of % all.length === at),
        rates,
      }),
    ),
  )

describe('the shipping of any cart in any zones', () => {
  it('is never negative, one of the choices, and the same for the same request', () => {
    fc.assert(
      fc.property(zones, lines, fc.option(place), (all, goods, where) => {
        const request = { lines: goods, place: where }
        const shipping = shippingOf(all, request)
        expect(shippingOf(structuredClone(all), structuredClone(request))).toEqual(shipping)
        if (shipping === null) return
        for (const { amountMinor } of shipping.choices)
          expect(amountMinor).toBeGreaterThanOrEqual(0)
        expect(shipping.chosen === undefined).toBe(shipping.choices.length === 0)
        expect(shipping.refusal === null).toBe(shipping.choices.length > 0)
        if (shipping.chosen) expect(shipping.choices).toContainEqual(shipping.chosen)
      }),
    )
  })

  it('does not depend on the order of the zones or of the lines', () => {
    fc.assert(
      fc.property(zones, lines, fc.option(place), (all, goods, where) => {
        const backwards = shippingOf(all.toReversed(), { lines: goods.toReversed(), place: where })
        expect(backwards).toEqual(shippingOf(all, { lines: goods, place: where }))
      }),
    )
  })

  it('is the cheapest that is no pick-up, unless another one is chosen', () => {
    fc.assert(
      fc.property(zones, lines, place, fc.nat(), (all, goods, where, at) => {
        const shipping = shippingOf(all, { lines: goods, place: where })
        if (!shipping?.chosen) return
        const delivered = shipping.choices.filter(({ isPickup }) => !isPickup)
        if (delivered.length > 0) {
          const cheapest = Math.min(...delivered.map(({ amountMinor }) => amountMinor))
          expect(shipping.chosen).toMatchObject({ isPickup: false, amountMinor: cheapest })
        }
        const wanted = shipping.choices[at % shipping.choices.length]
        const again = shippingOf(all, { lines: goods, place: where, requested: wanted?.id })
        expect(again).toMatchObject({ chosen: wanted, isRateGone: false })
      }),
    )
  })

  it('of more weight never has the price of a lower tier, and none above the last one', () => {
    const prices = fc
      .array(money, { minLength: 6, maxLength: 6 })
      .map((all) => all.sort((a, b) => a - b))
    const grams = fc.integer({ min: 0, max: 300_000 })
    fc.assert(
      fc.property(tiers, prices, grams, grams, (ends, ascending, one, other) => {
        const byWeight = rate({
          kind: 'weight',
          price_minor: null,
          tiers: ends.map(({ up_to }, at) => ({ up_to, price_minor: ascending[at] ?? 0 })),
        })
        const priceAt = (grams: number) => priceOf(byWeight, { amountMinor: 0, grams }) ?? Infinity
        expect(priceAt(Math.max(one, other))).toBeGreaterThanOrEqual(priceAt(Math.min(one, other)))
      }),
    )
  })

  it('is free from the amount on, and never below it', () => {
    fc.assert(
      fc.property(money, money, fc.integer({ min: 1 }), (free_from_minor, amountMinor, price) => {
        const charged = priceOf(rate({ price_minor: price, free_from_minor }), {
          amountMinor,
          grams: 0,
        })
        expect(charged).toBe(amountMinor >= free_from_minor ? 0 : price)
      }),
    )
  })
})

describe('the zone of a place', () => {
  const karnataka = zone({ places: [{ country: 'IN', region: 'KA' }] })
  const india = zone({ places: [{ country: 'IN', region: null }] })
  const rest = zone({ is_default: true })

  it('is the most specific one; the default takes the rest', () => {
    const all = [rest, india, karnataka]
    expect(zoneOf(all, { country: 'IN', region: 'KA' })).toBe(karnataka)
    expect(zoneOf(all, { country: 'IN', region: 'MH' })).toBe(india)
    expect(zoneOf(all, { country: 'IN', region: null })).toBe(india)
    expect(zoneOf(all, { country: 'NO', region: null })).toBe(rest)
    expect(zoneOf(all, null)).toBe(rest)
    expect(zoneOf([india], { country: 'NO', region: null })).toBeUndefined()
    expect(zoneOf([india], null)).toBeUndefined()
  })
})

describe('the shipping of a cart', () => {
  const india = zone({ places: [{ country: 'IN', region: null }] })

  it('is none without zones, and none when nothing has to be shipped', () => {
    expect(shippingOf(null, { lines: [line()], place: null })).toBeNull()
    const digital = [line({ needs_shipping: false })]
    expect(shippingOf([india], { lines: digital, place: null })).toBeNull()
    expect(shippingOf([india], { lines: [], place: null })).toBeNull()
  })

  it('says kindly what is missing', () => {
    const refusal = (zones: Zone[], country: string | null, region: string | null = null) =>
      shippingOf(zones, { lines: [line()], place: country === null ? null : { country, region } })
        ?.refusal
    const karnataka = zone({ places: [{ country: 'IN', region: 'KA' }] })
    expect(refusal([india], 'NO')).toBe('We do not deliver to Norway yet.')
    expect(refusal([karnataka], 'IN', 'MH')).toBe('We do not deliver to Maharashtra, India yet.')
    expect(refusal([india], null)).toBe('Please enter your delivery address with its country.')
  })

  it('weighs the units that are shipped, an unknown weight as nothing', () => {
    const tiers = [
      { up_to: 500, price_minor: 100 },
      { up_to: 1000, price_minor: 200 },
    ]
    const byWeight = rate({ kind: 'weight', price_minor: null, tiers })
    const priceFor = (lines: Line[]) =>
      shippingOf([zone({ is_default: true, rates: [byWeight] })], { lines, place: null })
    expect(priceFor([line({ weight_grams: 250, quantity: 2 })])?.chosen?.amountMinor).toBe(100)
    expect(priceFor([line({ weight_grams: 251, quantity: 2 }), line()])?.chosen?.amountMinor).toBe(
      200,
    )
    const light = [line(), line({ weight_grams: 9999, needs_shipping: false })]
    expect(priceFor(light)?.chosen?.amountMinor).toBe(100)
    expect(priceFor([line({ weight_grams: 1001 })])).toMatchObject({
      choices: [],
      refusal: 'This cart is too large to be delivered to your address.',
    })
  })

  it('goes by the amount after discounts', () => {
    const tiers = [
      { up_to: 999, price_minor: 300 },
      { up_to: null, price_minor: 0 },
    ]
    const byAmount = rate({ kind: 'amount', price_minor: null, tiers })
    const all = [zone({ is_default: true, rates: [byAmount] })]
    const amountOf = (discount_minor: number) =>
      shippingOf(all, { lines: [line({ discount_minor })], place: null })?.chosen?.amountMinor
    expect([amountOf(0), amountOf(1)]).toEqual([0, 300])
  })

  it('knows when the chosen rate is gone', () => {
    const shipping = shippingOf([india], {
      lines: [line()],
      place: { country: 'IN', region: null },
      requested: 'express',
    })
    expect(shipping).toMatchObject({ isRateGone: true, chosen: { id: 'standard' } })
  })
})
