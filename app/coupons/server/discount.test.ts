import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Shipping } from '#app/shipping/server/rates.ts'
import { coupon, given, line, SITUATION } from '#tests/support/discounts.ts'
import type { Coupon, DiscountedLine } from './coupon.ts'
import { applyCoupons, discountOf } from './discount.ts'

const apply = (lines: DiscountedLine[], ...coupons: Coupon[]) =>
  applyCoupons(lines, given(...coupons), SITUATION)

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)

describe('coupons on a cart', () => {
  const lines = fc.array(
    fc.record({
      product_id: fc.constantFrom('a', 'b', 'c'),
      category_id: fc.constantFrom('x', 'y'),
      quantity: fc.integer({ min: 1, max: 200 }),
      price_minor: fc.nat(100_000_000),
      discount_minor: fc.constant(0),
    }),
    { minLength: 1, maxLength: 8 },
  )
  const terms = fc.oneof(
    fc.record({ percent: fc.integer({ min: 1, max: 100 }), amount_minor: fc.constant(null) }),
    fc.record({ percent: fc.constant(null), amount_minor: fc.integer({ min: 1, max: 1e10 }) }),
  )
  const some = (values: string[]) => fc.subarray(values)
  const coupons = fc.array(
    fc
      .tuple(terms, some(['a', 'b']), some(['x']), fc.boolean(), fc.nat(1_000_000))
      .map(([value, product_ids, category_ids, is_combinable, minimum_minor]) =>
        coupon({ ...value, product_ids, category_ids, is_combinable, minimum_minor }),
      ),
    { maxLength: 4 },
  )

  it('are shared among the lines, which never cost less than nothing', () => {
    fc.assert(
      fc.property(lines, coupons, (cart, all) => {
        const coded = all.map((one, at) => ({ ...one, code: `CODE-${at}` }))
        const result = apply(cart, ...coded)
        const shared = sum(result.lines.map(({ discount_minor }) => discount_minor))
        expect(shared + sum(result.discounts.map(({ amount_minor }) => amount_minor))).toBe(0)
        for (const { discount_minor, price_minor, quantity } of result.lines) {
          expect(discount_minor).toBeGreaterThanOrEqual(0)
          expect(discount_minor).toBeLessThanOrEqual(price_minor * quantity)
        }
        for (const { amount_minor } of result.discounts) expect(amount_minor).toBeLessThan(0)
        expect(result.discounts.length + result.notices.length).toBe(coded.length)
      }),
    )
  })

  it('touch only the lines to which they apply', () => {
    fc.assert(
      fc.property(lines, terms, (cart, value) => {
        const only = coupon({ ...value, product_ids: ['a'], category_ids: ['y'] })
        for (const { product_id, category_id, discount_minor } of apply(cart, only).lines)
          if (product_id !== 'a' && category_id !== 'y') expect(discount_minor).toBe(0)
      }),
    )
  })

  it('are cut to the goods to which they apply', () => {
    const large = coupon({ percent: null, amount_minor: 5000, product_ids: ['a'] })
    const { lines: cart, discounts } = apply([line('a', 1000, 2), line('b', 9000)], large)
    expect(discounts).toEqual([
      {
        coupon_id: 'id of TEN',
        code: 'TEN',
        title: null,
        isFreeShipping: false,
        isForFirstOrder: false,
        amount_minor: -2000,
      },
    ])
    expect(cart.map(({ discount_minor }) => discount_minor)).toEqual([2000, 0])
  })

  it('take a percentage of what the ones before have left', () => {
    const half = coupon({ code: 'HALF', percent: 50, is_combinable: true })
    const five = coupon({ code: 'FIVE', percent: null, amount_minor: 500, is_combinable: true })
    const off = (...all: Coupon[]) =>
      apply([line('a', 2000)], ...all).discounts.map(({ amount_minor }) => amount_minor)
    expect(off(half, five)).toEqual([-1000, -500])
    expect(off(five, half)).toEqual([-500, -750])
  })

  it('round half a minor unit up', () => {
    expect(discountOf(coupon({ percent: 10 }), 1255)).toBe(126)
    expect(discountOf(coupon({ percent: 10 }), 1254)).toBe(125)
  })

  it('count once when the same code is given twice', () => {
    const twice = [' ten', 'TEN '].map((code) => ({ code, coupon: coupon() }))
    const { discounts, notices } = applyCoupons([line('a', 1000)], twice, SITUATION)
    expect(discounts).toHaveLength(1)
    expect(notices).toEqual([])
  })
})

describe('a coupon that does not apply', () => {
  const refusal = (...coupons: (Coupon | undefined)[]) =>
    applyCoupons(
      [line('a', 1000)],
      coupons.map((one, at) => ({ code: one?.code ?? `X${at}`, coupon: one })),
      SITUATION,
    ).notices.map(({ message }) => message)
  const day = (text: string) => new Date(`${text}T00:00:00Z`)

  it.each<[string, Partial<Coupon> | undefined, string]>([
    ['unknown', undefined, 'There is no such code.'],
    ['over', { ends_at: day('2026-05-04') }, 'This code ended on 3 May.'],
    [
      'over since last year',
      { ends_at: day('2026-01-01') },
      'This code ended on 31 December 2025.',
    ],
    ['not yet valid', { starts_at: day('2026-05-05') }, 'This code is valid from 5 May.'],
    ['used up', { max_uses: 2, uses: 2 }, 'This code has been used up.'],
    [
      'used by the customer',
      { max_uses_each: 1, buyer_uses: 1 },
      'You have used this code already.',
    ],
    [
      'used often by the customer',
      { max_uses_each: 3, buyer_uses: 3 },
      'You have used this code 3 times already.',
    ],
    [
      'for confirmed addresses',
      { max_uses_each: 1, buyer_is_confirmed: false },
      'Confirm your e-mail address to use this code. Your profile sends the link.',
    ],
    [
      'for confirmed addresses only',
      { audience: 'confirmed', buyer_is_confirmed: false },
      'Confirm your e-mail address to use this code. Your profile sends the link.',
    ],
    [
      'for a first order',
      { audience: 'first_order', buyer_has_ordered: true },
      'This code is for a first order.',
    ],
    [
      'for chosen customers',
      { audience: 'chosen', buyer_is_chosen: false },
      'This code is for other customers.',
    ],
    [
      'for chosen customers, of a guest',
      { audience: 'chosen' },
      'This code is for some customers. Log in to use it.',
    ],
    [
      'for free delivery where nothing is charged for it',
      { percent: null, is_free_shipping: true },
      'This code takes nothing off this cart.',
    ],
    ['for a larger cart', { minimum_minor: 1001 }, 'This code needs a cart of at least ₹10.01.'],
    [
      'for a larger cart, as the shop writes amounts',
      { minimum_minor: 123_456, locale: 'de-DE' },
      'This code needs a cart of at least 1.234,56 ₹.',
    ],
    [
      'for other products',
      { product_ids: ['b'] },
      'This code does not apply to any product in your cart.',
    ],
    [
      'for other categories',
      { category_ids: ['x'] },
      'This code does not apply to any product in your cart.',
    ],
  ])('says why: %s', (_, facts, sentence) => {
    expect(refusal(facts && coupon(facts)).join()).toBe(sentence)
  })

  it('applies on its last day, and on its first', () => {
    expect(refusal(coupon({ starts_at: day('2026-05-04'), ends_at: day('2026-05-05') }))).toEqual(
      [],
    )
  })

  it('says which other code it cannot be combined with', () => {
    const open = { is_combinable: true }
    const [a, b, c] = [coupon({ code: 'A', ...open }), coupon({ code: 'B' }), coupon({ code: 'C' })]
    expect(refusal(a, b)).toEqual(['This code cannot be combined with A.'])
    expect(refusal(b, a, c)).toEqual([
      'This code cannot be combined with B.',
      'This code cannot be combined with B.',
    ])
    expect(refusal(a, coupon({ code: 'D', ...open }))).toEqual([])
  })

  it('for free delivery whose rate another code takes away', () => {
    const choice = (id: string, amountMinor: number) => ({
      id,
      label: id,
      amountMinor,
      isPickup: false,
    })
    const [economy, standard] = [choice('Economy', 300), choice('Standard', 500)]
    // Economy is for small carts
    const shippingFor = (lines: DiscountedLine[]): Shipping => ({
      choices: sum(lines.map((one) => one.discount_minor)) > 0 ? [economy, standard] : [standard],
      chosen: standard,
      isRateGone: false,
      refusal: null,
    })
    const open = { is_combinable: true }
    const free = coupon({ code: 'FREE', percent: null, is_free_shipping: true, ...open })
    const result = applyCoupons([line('a', 1000)], given(free, coupon({ code: 'TEN', ...open })), {
      ...SITUATION,
      shippingFor,
    })
    expect(result.discounts).toMatchObject([{ code: 'TEN' }])
    expect(result.notices).toEqual([
      {
        about: 'coupon',
        source: 'FREE',
        message: 'This code makes Economy free. Choose it to use the code.',
      },
    ])
    expect(result.shipping?.choices).toEqual([economy, standard])
  })

  it('takes nothing off what is free already', () => {
    const all = coupon({ code: 'ALL', percent: 100, is_combinable: true })
    expect(refusal(all, coupon({ code: 'MORE', is_combinable: true }))).toEqual([
      'This code takes nothing off this cart.',
    ])
  })
})
