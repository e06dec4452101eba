import type { Coupon, DiscountedLine } from '#app/coupons/server/coupon.ts'

const NOW = new Date('2026-05-04T12:00:00Z')
export const SITUATION = { now: NOW, currency: 'INR', shippingFor: () => null }

export const coupon = (facts: Partial<Coupon> = {}): Coupon => ({
  id: 'id of TEN',
  code: 'TEN',
  title: null,
  percent: 10,
  amount_minor: null,
  is_free_shipping: false,
  minimum_minor: 0,
  product_ids: [],
  category_ids: [],
  starts_at: null,
  time_zone: 'UTC',
  locale: 'en-IN',
  ends_at: null,
  max_uses: null,
  max_uses_each: null,
  is_combinable: false,
  uses: 0,
  buyer_uses: 0,
  buyer_is_confirmed: true,
  audience: 'everybody',
  buyer_has_ordered: false,
  buyer_is_chosen: null,
  ...facts,
})

export const line = (product_id: string, price_minor: number, quantity = 1): DiscountedLine => ({
  product_id,
  category_id: `of ${product_id}`,
  quantity,
  price_minor,
  discount_minor: 0,
})

export const given = (...coupons: Coupon[]) =>
  coupons.map((one) => ({ code: one.code, coupon: one }))
