/** Free delivery, and which of codes and automatic discounts apply. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sum } from '#app/shared/server/shares.ts'
import type { Shipping } from '#app/shipping/server/rates.ts'
import { coupon, given, line, SITUATION } from '#tests/support/discounts.ts'
import type { Coupon } from './coupon.ts'
import { applyBest, applyCoupons } from './discount.ts'

const CHOICES = [
  { id: 'pick-up', label: 'Pick-up', amountMinor: 0, isPickup: true },
  { id: 'express', label: 'Express', amountMinor: 1500, isPickup: false },
  { id: 'standard', label: 'Standard', amountMinor: 500, isPickup: false },
]

/** Shipping by these rates; the chosen one is that of the id. */
const shippingBy = (id: string): Shipping => ({
  choices: CHOICES,
  chosen: CHOICES.find((choice) => choice.id === id),
  isRateGone: false,
  refusal: null,
})

const FREE = { code: 'FREE', percent: null, is_free_shipping: true }

describe('free delivery', () => {
  const deliver = (shipping: Shipping | null, ...coupons: Coupon[]) =>
    applyCoupons([line('a', 2000)], given(...coupons), {
      ...SITUATION,
      shippingFor: () => shipping,
    })

  it('makes the cheapest rate that is no pick-up free, and leaves the others', () => {
    const { shipping, lines, discounts, notices } = deliver(
      shippingBy('standard'),
      coupon({ ...FREE, is_combinable: true }),
      coupon({ is_combinable: true }),
    )
    expect(shipping?.choices.map(({ amountMinor }) => amountMinor)).toEqual([0, 1500, 0])
    expect(shipping?.chosen).toMatchObject({ id: 'standard', amountMinor: 0 })
    expect(lines).toMatchObject([{ discount_minor: 200 }])
    expect(discounts).toMatchObject([
      { code: 'FREE', amount_minor: 0 },
      { code: 'TEN', amount_minor: -200 },
    ])
    expect(notices).toEqual([])
  })

  it.each([
    ['express', 'This code makes Standard free. Choose it to use the code.'],
    ['pick-up', 'This code makes Standard free. Choose it to use the code.'],
  ])('says which rate it makes free, and leaves %s as it is', (id, message) => {
    const { shipping, discounts, notices } = deliver(shippingBy(id), coupon(FREE))
    expect(shipping).toEqual(shippingBy(id))
    expect(discounts).toEqual([])
    expect(notices).toEqual([{ about: 'coupon', source: 'FREE', message }])
  })

  it('is not given twice, and waits for the address', () => {
    const open = { ...FREE, is_combinable: true }
    const twice = deliver(shippingBy('standard'), coupon(open), coupon({ ...open, code: 'MORE' }))
    expect(twice.discounts).toHaveLength(1)
    expect(twice.notices).toMatchObject([{ source: 'MORE' }])
    const unknown = { choices: [], chosen: undefined, isRateGone: false, refusal: 'Where to?' }
    expect(deliver(unknown, coupon(FREE))).toMatchObject({
      discounts: [{ code: 'FREE' }],
      notices: [],
    })
  })
})

describe('automatic discounts', () => {
  const automatic = (title: string, facts: Partial<Coupon> = {}) =>
    coupon({ id: title, code: title, title, ...facts })
  const best = (codes: Coupon[], discounts: Coupon[], shipping: Shipping | null = null) =>
    applyBest(
      [line('a', 2000)],
      { codes: given(...codes), automatic: discounts },
      { ...SITUATION, shippingFor: () => shipping },
    )
  const named = ({ discounts }: ReturnType<typeof best>) => discounts.map(({ code }) => code)
  const OPEN = { is_combinable: true }

  it('apply without a code, and say nothing where they do not', () => {
    const small = automatic('Large carts', { minimum_minor: 5000 })
    expect(best([], [small])).toMatchObject({ discounts: [], notices: [] })
    expect(best([], [small, automatic('Sale')])).toMatchObject({
      discounts: [{ title: 'Sale', amount_minor: -200 }],
      notices: [],
    })
  })

  it('add up where they are combinable, with codes that are', () => {
    const sales = [automatic('Sale', OPEN), automatic('Five', { ...OPEN, percent: 5 })]
    expect(named(best([coupon(OPEN)], sales)).toSorted()).toEqual(['Five', 'Sale', 'TEN'])
  })

  it('of those that are not, the best for the customer applies', () => {
    const sales = [automatic('Sale'), automatic('Large', { percent: 30 }), automatic('Small')]
    expect(named(best([], sales))).toEqual(['Large'])
    const two = [automatic('A', { ...OPEN, percent: 20 }), automatic('B', { ...OPEN, percent: 20 })]
    expect(named(best([], [...sales, ...two]))).toEqual(['A', 'B'])
  })

  it('give way to a code that takes as much off, and not to one that takes less', () => {
    expect(best([coupon()], [automatic('Sale')])).toMatchObject({
      discounts: [{ code: 'TEN' }],
      notices: [],
    })
    expect(best([coupon({ percent: 5 })], [automatic('Sale', OPEN)])).toMatchObject({
      discounts: [{ code: 'Sale' }],
      notices: [{ source: 'TEN', message: 'This code cannot be combined with Sale.' }],
    })
  })

  it('are compared with the delivery that another one makes free', () => {
    const free = automatic('Free', FREE)
    const sale = automatic('Sale')
    expect(named(best([], [sale, free], shippingBy('standard')))).toEqual(['FREE'])
    expect(named(best([], [sale, free], shippingBy('express')))).toEqual(['Sale'])
  })

  it('never make a cart dearer, whatever codes are given', () => {
    const terms = fc.record({
      percent: fc.integer({ min: 1, max: 100 }),
      is_combinable: fc.boolean(),
      minimum_minor: fc.nat(3000),
      product_ids: fc.subarray(['a', 'b']),
    })
    const lines = [line('a', 1999), line('b', 501, 2)]
    const cost = (codes: Coupon[], discounts: Coupon[]) => {
      const result = applyBest(lines, { codes: given(...codes), automatic: discounts }, SITUATION)
      expect(result.notices.length).toBeLessThanOrEqual(codes.length)
      return sum(result.lines.map((one) => one.price_minor * one.quantity - one.discount_minor))
    }
    fc.assert(
      fc.property(fc.array(terms, { maxLength: 3 }), fc.array(terms, { maxLength: 4 }), (c, d) => {
        const codes = c.map((facts, at) => coupon({ ...facts, id: `c${at}`, code: `CODE-${at}` }))
        const discounts = d.map((facts, at) => automatic(`Sale ${at}`, facts))
        expect(cost(codes, discounts)).toBeLessThanOrEqual(cost(codes, []))
        expect(cost(codes, discounts)).toBeLessThanOrEqual(cost([], discounts))
      }),
    )
  })
})
