/** Discounts: what coupons take off the lines of a cart. Pure; amounts are integers in minor units. */
import type { Notice } from '#app/checkout/contract.ts'
import { shareByLargestRemainder, sum } from '#app/shared/server/shares.ts'
import type { Shipping } from '#app/shipping/server/rates.ts'
import {
  appliesTo,
  type Coupon,
  codeKey,
  type DiscountedLine,
  refusalOf,
  type Situation,
} from './coupon.ts'
import { freeShippingRefusal, TAKES_NOTHING, withFreeShipping } from './free-shipping.ts'

/** A code as the buyer wrote it, and its coupon, if there is one; of an automatic discount its id. */
export type GivenCode = { code: string; coupon: Coupon | undefined }

/** `amount_minor` of free delivery is 0: its delivery costs less. */
export type Discount = {
  coupon_id: string
  code: string
  title: string | null
  isFreeShipping: boolean
  isForFirstOrder: boolean
  amount_minor: number
}

export type Discounted<Line> = {
  lines: Line[]
  discounts: Discount[]
  notices: Notice[]
  shipping: Shipping | null
}

/** When, in which currency, and with which shipping lines are discounted. */
type Cart<Line> = Situation & {
  /** The shipping of lines, which depends on what they cost after their discounts. */
  shippingFor: (lines: Line[]) => Shipping | null
}

/** The price of a line after the discounts so far. */
const restOf = (line: DiscountedLine) => line.price_minor * line.quantity - line.discount_minor

/**
 * The discount of a coupon on goods that cost `rest`: at most all of it; of free delivery nothing. Half a minor
 * unit is rounded up.
 */
export const discountOf = (
  { percent, amount_minor }: Pick<Coupon, 'percent' | 'amount_minor'>,
  rest: number,
): number =>
  percent === null ? Math.min(amount_minor ?? 0, rest) : Math.round((rest * percent) / 100)

/** The lines less one coupon, and what it takes off in all. */
function take<Line extends DiscountedLine>(coupon: Coupon, lines: Line[]) {
  const weights = lines.map((line) => (appliesTo(coupon, line) ? restOf(line) : 0))
  const amount = discountOf(coupon, sum(weights))
  const shares = shareByLargestRemainder(amount, weights)
  const discounted = lines.map((line, at) => ({
    ...line,
    discount_minor: line.discount_minor + (shares[at] ?? 0),
  }))
  return { amount, lines: discounted }
}

const firstOfEach = (codes: GivenCode[]) =>
  codes.filter(
    ({ code }, at) => codes.findIndex((one) => codeKey(one.code) === codeKey(code)) === at,
  )

/**
 * Applies codes one after the other: each to what the ones before have left. A code that does not apply
 * is left out, with a notice that says why; an automatic discount without one.
 */
export function applyCoupons<Line extends DiscountedLine>(
  before: Line[],
  codes: GivenCode[],
  { shippingFor, ...situation }: Cart<Line>,
): Discounted<Line> {
  let lines = before
  let discounts: Discount[] = []
  const notices: Notice[] = []
  const refuse = ({ code, coupon }: GivenCode, message: string) => {
    if (!coupon?.title) notices.push({ about: 'coupon', source: code.trim(), message })
  }
  const applied: Coupon[] = []
  const shipping = () => {
    const isFree = discounts.some(({ isFreeShipping }) => isFreeShipping)
    return isFree ? withFreeShipping(shippingFor(lines)) : shippingFor(lines)
  }
  for (const given of firstOfEach(codes)) {
    const { coupon } = given
    const cart = { ...situation, lines: before, shipping: shipping(), applied }
    const refusal = refusalOf(coupon, cart)
    const taken = coupon && refusal === null ? take(coupon, lines) : null
    if (!coupon || !taken || (taken.amount === 0 && !coupon.is_free_shipping)) {
      refuse(given, refusal ?? TAKES_NOTHING)
      continue
    }
    applied.push(coupon)
    lines = taken.lines
    discounts.push({
      coupon_id: coupon.id,
      code: coupon.code,
      title: coupon.title,
      isFreeShipping: coupon.is_free_shipping,
      isForFirstOrder: coupon.audience === 'first_order',
      amount_minor: 0 - taken.amount,
    })
  }
  // what came after free delivery may have changed which rates there are
  const free = codes.find(({ coupon }) => coupon?.is_free_shipping && applied.includes(coupon))
  const lost = free ? freeShippingRefusal(shippingFor(lines)) : null
  if (free && lost !== null) {
    refuse(free, lost)
    discounts = discounts.filter(({ isFreeShipping }) => !isFreeShipping)
  }
  return { lines, discounts, notices, shipping: shipping() }
}

/** The costs of goods and delivery after their discounts. */
const costOf = ({ lines, shipping }: Discounted<DiscountedLine>) =>
  sum(lines.map(restOf)) + (shipping?.chosen?.amountMinor ?? 0)

/**
 * The orders in which discounts may be applied: those that are combinable before or after the codes, and each
 * one that is not before them, which excludes the codes where it applies.
 */
function ordersOf(codes: GivenCode[], automatic: Coupon[]): GivenCode[][] {
  if (automatic.length === 0) return [codes]
  const given = automatic.map((coupon) => ({ code: coupon.code, coupon }))
  const combinable = given.filter(({ coupon }) => coupon.is_combinable)
  const alone = given.filter(({ coupon }) => !coupon.is_combinable)
  return [
    [...codes, ...combinable],
    [...combinable, ...codes],
    ...alone.map((one) => [one, ...codes]),
  ]
}

/**
 * Applies codes and automatic discounts in the way in which goods and delivery cost least; of equal ways, the
 * codes first.
 */
export const applyBest = <Line extends DiscountedLine>(
  lines: Line[],
  { codes, automatic }: { codes: GivenCode[]; automatic: Coupon[] },
  cart: Cart<Line>,
): Discounted<Line> =>
  ordersOf(codes, automatic)
    .map((order) => applyCoupons(lines, order, cart))
    .reduce((best, other) => (costOf(other) < costOf(best) ? other : best))
