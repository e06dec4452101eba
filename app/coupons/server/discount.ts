/** Discounts: what coupons take off the lines of a cart. Pure; amounts are integers in minor units. */
import type { Notice } from '#app/checkout/contract.ts'
import { shareByLargestRemainder, sum } from '#app/shared/server/shares.ts'
import {
  appliesTo,
  type Coupon,
  codeKey,
  type DiscountedLine,
  refusalOf,
  type Situation,
} from './coupon.ts'

/** A code as the buyer wrote it, and its coupon, if there is one. */
export type GivenCode = { code: string; coupon: Coupon | undefined }

export type Discount = { coupon_id: string; code: string; amount_minor: number }

export type Discounted<Line> = { lines: Line[]; discounts: Discount[]; notices: Notice[] }

/** The price of a line after the discounts so far. */
const restOf = (line: DiscountedLine) => line.price_minor * line.quantity - line.discount_minor

/** The discount of a coupon on goods that cost `rest`: at most all of it. Half a minor unit is rounded up. */
export const discountOf = ({ percent, amount_minor }: Coupon, rest: number): number =>
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

const TAKES_NOTHING = 'This code takes nothing off this cart.'

const firstOfEach = (codes: GivenCode[]) =>
  codes.filter(
    ({ code }, at) => codes.findIndex((one) => codeKey(one.code) === codeKey(code)) === at,
  )

/**
 * Applies codes one after the other: each to what the ones before have left. A code that does not apply
 * is left out, with a notice that says why.
 */
export function applyCoupons<Line extends DiscountedLine>(
  before: Line[],
  codes: GivenCode[],
  situation: Situation,
): Discounted<Line> {
  const result: Discounted<Line> = { lines: before, discounts: [], notices: [] }
  const applied: Coupon[] = []
  for (const { code, coupon } of firstOfEach(codes)) {
    const refuse = (message: string) =>
      result.notices.push({ about: 'coupon', source: code.trim(), message })
    const refusal = refusalOf(coupon, { ...situation, lines: before, applied })
    if (refusal !== null || !coupon) {
      refuse(refusal ?? TAKES_NOTHING)
      continue
    }
    const { amount, lines } = take(coupon, result.lines)
    if (amount === 0) {
      refuse(TAKES_NOTHING)
      continue
    }
    applied.push(coupon)
    result.lines = lines
    result.discounts.push({ coupon_id: coupon.id, code: coupon.code, amount_minor: -amount })
  }
  return result
}
