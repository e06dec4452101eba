import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { totalOf } from '#app/checkout/server/service.ts'
import { rateOf, type TaxRate, type TaxRules, taxOf, withTaxes } from './tax.ts'

const INDIA = { country: 'IN', region: null }
const KARNATAKA = { country: 'IN', region: 'KA' }

const rate = (facts: Partial<TaxRate> = {}): TaxRate => ({
  class_id: null,
  country: 'IN',
  region: null,
  name: 'GST',
  rate: 18_000,
  valid_from: null,
  valid_to: null,
  ...facts,
})

const rulesOf = (rates: TaxRate[], facts: Partial<TaxRules> = {}): TaxRules => ({
  vary_by_place: true,
  has_regions: true,
  pricesIncludeTax: false,
  taxesShipping: true,
  shippingClass: null,
  country: null,
  region: null,
  today: '2026-11-21',
  rates,
  ...facts,
})

const line = (price_minor: number, facts = {}) => ({
  price_minor,
  quantity: 1,
  discount_minor: 0,
  tax_class_id: null as string | null,
  ...facts,
})

const shipping = (amount_minor: number) => ({
  kind: 'shipping' as const,
  label: 'Post',
  source: 'post',
  amount_minor,
  is_included: false,
  tax_minor: 0,
  tax_rate: null,
  basis_minor: null,
})

const goods = (
  lines: ReturnType<typeof line>[],
  place = INDIA as typeof KARNATAKA | typeof INDIA,
) => ({
  lines,
  adjustments: [],
  place,
})

describe('the tax of an amount', () => {
  it.each([
    [1000, 18_000, false, 180],
    [1180, 18_000, true, 180],
    // half of a minor unit is rounded up
    [25, 18_000, false, 5],
    [24, 18_000, false, 4],
    [3, 50_000, true, 1],
    [9999, 8_875, false, 887],
    // a currency without cents: its unit is the minor unit
    [105, 10_000, false, 11],
    [105, 10_000, true, 10],
    [0, 18_000, true, 0],
    [100, 0, false, 0],
    [1_000_000_000_000, 99_999, false, 999_990_000_000],
  ])('%i at %i thousandths of a percent, included: %s, is %i', (amount, percent, included, tax) => {
    expect(taxOf(amount, percent, included)).toBe(tax)
  })
})

describe('the rate of a place and a day', () => {
  const day = '2026-11-21'
  const country = rate()
  const region = rate({ region: 'KA', rate: 5_000 })

  it('is the region’s where there is one, else the country’s', () => {
    expect(rateOf([country, region], null, KARNATAKA, day)).toBe(region)
    expect(rateOf([country, region], null, { ...KARNATAKA, region: 'MH' }, day)).toBe(country)
    expect(rateOf([country, region], null, INDIA, day)).toBe(country)
    expect(rateOf([country, region], null, { country: 'FR', region: 'KA' }, day)).toBeUndefined()
  })

  it('applies from its first to its last day', () => {
    const limited = rate({ valid_from: '2026-11-01', valid_to: '2026-11-21' })
    const on = (day: string) => rateOf([limited], null, INDIA, day)
    expect([on('2026-10-31'), on('2026-11-22')]).toEqual([undefined, undefined])
    expect([on('2026-11-01'), on('2026-11-21')]).toEqual([limited, limited])
  })

  it('is that of the class, and of no other', () => {
    const books = rate({ class_id: 'books', rate: 5_000 })
    expect(rateOf([country, books], 'books', INDIA, day)).toBe(books)
    expect(rateOf([country, books], null, INDIA, day)).toBe(country)
    expect(rateOf([country], 'books', INDIA, day)).toBeUndefined()
  })
})

describe('the tax of a quote', () => {
  it('is rounded line by line, on what is left after the discount', () => {
    const lines = [line(1000, { discount_minor: 100 }), line(25), line(25)]
    const { lines: taxed, adjustments } = withTaxes(rulesOf([rate()]), goods(lines))
    expect(taxed.map(({ tax_minor, tax_rate }) => [tax_minor, tax_rate])).toEqual([
      [162, 18_000],
      [5, 18_000],
      [5, 18_000],
    ])
    expect(adjustments).toEqual([
      {
        kind: 'tax',
        label: 'GST 18 %',
        source: 'GST 18 %',
        amount_minor: 172,
        is_included: false,
        tax_minor: 0,
        tax_rate: 18_000,
        basis_minor: 950,
      },
    ])
  })

  it('is contained in prices that include it, with the amount without it', () => {
    const rules = rulesOf([rate()], { pricesIncludeTax: true })
    const { adjustments } = withTaxes(rules, goods([line(1180)]))
    expect(adjustments).toMatchObject([{ amount_minor: 180, basis_minor: 1000, is_included: true }])
  })

  it('has a row for each rate, and one for the classes that share a rate', () => {
    const rates = [
      rate(),
      rate({ class_id: 'a' }),
      rate({ class_id: 'b', rate: 5_000 }),
      rate({ class_id: 'c', rate: 0 }),
    ]
    const lines = [null, 'a', 'b', 'c'].map((tax_class_id) => line(100, { tax_class_id }))
    const { adjustments } = withTaxes(rulesOf(rates), goods(lines))
    expect(adjustments.map(({ label, amount_minor }) => [label, amount_minor])).toEqual([
      ['GST 18 %', 36],
      ['GST 5 %', 5],
      ['GST 0 %', 0],
    ])
  })

  it('taxes shipping as its class, or not at all', () => {
    const rates = [rate(), rate({ class_id: 'freight', rate: 5_000 })]
    const cart = { ...goods([line(1000)]), adjustments: [shipping(200)] }
    const shippingTax = (facts: Partial<TaxRules>) =>
      withTaxes(rulesOf(rates, facts), cart).adjustments[0]
    expect(shippingTax({})).toMatchObject({ tax_minor: 36, tax_rate: 18_000 })
    expect(shippingTax({ shippingClass: 'freight' })).toMatchObject({ tax_minor: 10 })
    expect(shippingTax({ taxesShipping: false })).toEqual(shipping(200))
  })

  it('is that of the default place for a buyer without one', () => {
    const taxIn = (facts: Partial<TaxRules>) =>
      withTaxes(rulesOf([rate()], facts), { ...goods([line(100)]), place: null }).adjustments
    expect(taxIn({ country: 'IN' })).toMatchObject([{ amount_minor: 18 }])
    expect(taxIn({})).toEqual([])
  })
})

const amount = fc.integer({ min: 0, max: 100_000_000 })
const classId = fc.constantFrom(null, 'a', 'b')
const anyLine = fc
  .record({
    price_minor: amount,
    quantity: fc.integer({ min: 1, max: 200 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    tax_class_id: classId,
  })
  .map(({ share, ...one }) => ({
    ...one,
    discount_minor: Math.floor(one.price_minor * one.quantity * share),
  }))
const anyRate = fc
  .record({
    class_id: classId,
    region: fc.constantFrom(null, 'KA'),
    name: fc.constantFrom('GST', 'Cess'),
    rate: fc.integer({ min: 0, max: 100_000 }),
  })
  .map((facts) => rate(facts))
const anyRules = fc.record({
  rates: fc.uniqueArray(anyRate, { selector: ({ class_id, region }) => `${class_id} ${region}` }),
  pricesIncludeTax: fc.boolean(),
  taxesShipping: fc.boolean(),
  shippingClass: classId,
  vary_by_place: fc.constant(true),
  today: fc.constant('2026-11-21'),
  has_regions: fc.constant(true),
  country: fc.constantFrom(null, 'IN'),
  region: fc.constantFrom(null, 'KA'),
})
const anyCart = fc.record({
  lines: fc.array(anyLine, { maxLength: 8 }),
  adjustments: fc.array(amount.map(shipping), { maxLength: 1 }),
  place: fc.constantFrom(null, INDIA, KARNATAKA, { country: 'FR', region: null }),
})

const sumOf = (amounts: number[]) => amounts.reduce((sum, one) => sum + one, 0)
const leftOf = (one: { price_minor: number; quantity: number; discount_minor: number }) =>
  one.price_minor * one.quantity - one.discount_minor

describe('for any cart, discounts, place and rates', () => {
  it('the taxes of lines and shipping are those of the rates, and the total adds up', () => {
    fc.assert(
      fc.property(anyRules, anyCart, (rules, cart) => {
        const { lines, adjustments } = withTaxes(rules, cart)
        const taxes = adjustments.filter(({ kind }) => kind === 'tax')
        const byRates = sumOf(taxes.map(({ amount_minor }) => amount_minor))
        const byParts = sumOf([...lines, ...adjustments].map(({ tax_minor }) => tax_minor))
        expect(byRates).toBe(byParts)
        for (const { tax_rate, amount_minor } of taxes)
          expect([tax_rate, amount_minor].every((value) => Number(value) >= 0)).toBe(true)
        const before = totalOf(cart)
        expect(totalOf({ lines, adjustments })).toBe(
          rules.pricesIncludeTax ? before : before + byRates,
        )
        expect(new Set(taxes.map(({ label }) => label)).size).toBe(taxes.length)
      }),
    )
  })

  it('no tax is negative, and contained tax never exceeds the price', () => {
    fc.assert(
      fc.property(anyRules, anyCart, (rules, cart) => {
        const { lines, adjustments } = withTaxes(rules, cart)
        for (const one of lines) {
          expect(one.tax_minor).toBeGreaterThanOrEqual(0)
          expect(one.tax_minor).toBeLessThanOrEqual(leftOf(one))
        }
        for (const { kind, basis_minor, amount_minor, tax_minor } of adjustments) {
          expect(amount_minor).toBeGreaterThanOrEqual(0)
          if (kind === 'shipping') expect(tax_minor).toBeLessThanOrEqual(amount_minor)
          else expect(basis_minor).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })

  it('the amounts without tax and the contained taxes are the taxed amounts', () => {
    fc.assert(
      fc.property(anyRules, anyCart, (rules, cart) => {
        const { lines, adjustments } = withTaxes(rules, cart)
        const taxes = adjustments.filter(({ kind }) => kind === 'tax')
        const posted = adjustments.filter((row) => row.kind === 'shipping' && row.tax_rate !== null)
        const taxed = sumOf([
          ...lines.filter(({ tax_rate }) => tax_rate !== null).map(leftOf),
          ...posted.map(({ amount_minor }) => amount_minor),
        ])
        const basis = sumOf(taxes.map(({ basis_minor }) => basis_minor ?? 0))
        const contained = rules.pricesIncludeTax
          ? sumOf(taxes.map(({ amount_minor }) => amount_minor))
          : 0
        expect(basis + contained).toBe(taxed)
      }),
    )
  })

  it('nothing changes without rates', () => {
    fc.assert(
      fc.property(anyRules, anyCart, (rules, cart) => {
        const { lines, adjustments } = withTaxes({ ...rules, rates: [] }, cart)
        expect(adjustments.map(({ kind, amount_minor }) => [kind, amount_minor])).toEqual(
          cart.adjustments.map(({ kind, amount_minor }) => [kind, amount_minor]),
        )
        expect(lines.every(({ tax_minor, tax_rate }) => tax_minor === 0 && tax_rate === null)).toBe(
          true,
        )
      }),
    )
  })
})
