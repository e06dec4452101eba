/** A coupon, the lines to which it applies, and why it does not. Pure. */
import { trimCode } from '#app/shared/model/visible-text.ts'
import { formatMinor } from '#app/shared/server/money-text.ts'
import type { Shipping } from '#app/shipping/server/rates.ts'
import type { Line, Row, StoredQuote } from '#db/schema.ts'
import { freeShippingRefusal } from './free-shipping.ts'

/**
 * A coupon, or an automatic discount, which has a title, and its uses by other payments than the one that is
 * being started.
 */
export type Coupon = Omit<Row<'coupons'>, 'code_key' | 'created_at' | 'deleted_at' | 'user_ids'> & {
  /** Of the shop: days of the coupon are days in it. */
  time_zone: string
  /** Of the shop: how it writes amounts. */
  locale: string
  /** Uses of the buyer; 0 for a guest. */
  buyer_uses: number
  /** Whether the buyer's e-mail address is confirmed. A guest, who has no account yet, may use a code. */
  buyer_is_confirmed: boolean
  /** Whether the buyer has ordered before; only of a discount for first orders. */
  buyer_has_ordered: boolean
  /** Whether the buyer is one of the chosen customers; null for a guest. */
  buyer_is_chosen: boolean | null
}

/** A line of a quote, as far as a discount needs it: `discount_minor` is its share of all discounts. */
export type DiscountedLine = Pick<
  Line,
  'product_id' | 'quantity' | 'price_minor' | 'discount_minor'
> &
  Pick<Row<'products'>, 'category_id'>

/** The form in which codes are compared. */
export const codeKey = (code: string) => trimCode(code).toUpperCase()

/** The ids of the coupons in a quote. */
export const couponIdsIn = ({ adjustments }: Pick<StoredQuote, 'adjustments'>): string[] =>
  adjustments.flatMap(({ coupon_id }) => coupon_id ?? [])

/** Whether the coupon applies to the line; one without products and categories applies to all. */
export const appliesTo = (
  { product_ids, category_ids }: Pick<Coupon, 'product_ids' | 'category_ids'>,
  { product_id, category_id }: Pick<DiscountedLine, 'product_id' | 'category_id'>,
): boolean =>
  (product_ids.length === 0 && category_ids.length === 0) ||
  product_ids.includes(product_id) ||
  category_ids.includes(category_id)

/** The adjustments of a discount that has no code. Its source is the id of the discount. */
export const isAutomatic = ({ source, coupon_id }: StoredQuote['adjustments'][number]): boolean =>
  source === coupon_id

/** When, and in which currency, a cart is priced. */
export type Situation = { now: Date; currency: string }

type Cart = Situation & {
  lines: DiscountedLine[]
  /** The shipping of the lines so far. */
  shipping: Shipping | null
  /** The coupons that are applied already. */
  applied: Coupon[]
}

/** A day as it is written in a sentence: with its year only where it is another one. */
function dayOf(moment: Date, now: Date, timeZone: string): string {
  const isOtherYear = moment.getUTCFullYear() !== now.getUTCFullYear()
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'long',
    ...(isOtherYear && { year: 'numeric' }),
    timeZone,
  }).format(moment)
}

/** Why the coupon does not apply by itself: it ended, or is used up. */
function expiryOf(coupon: Coupon, now: Date): string | null {
  const { starts_at, ends_at, max_uses, max_uses_each, uses, buyer_uses, time_zone } = coupon
  // a coupon ends with a day: its last moment is the one before
  if (ends_at && ends_at <= now)
    return `This code ended on ${dayOf(new Date(ends_at.getTime() - 1), now, time_zone)}.`
  if (starts_at && starts_at > now)
    return `This code is valid from ${dayOf(starts_at, now, time_zone)}.`
  if (max_uses_each !== null && buyer_uses >= max_uses_each)
    return buyer_uses === 1
      ? 'You have used this code already.'
      : `You have used this code ${buyer_uses} times already.`
  // otherwise each made-up address would be another customer
  if (max_uses_each !== null && !coupon.buyer_is_confirmed) return UNCONFIRMED
  if (max_uses !== null && uses >= max_uses) return 'This code has been used up.'
  return null
}

const UNCONFIRMED = 'Confirm your e-mail address to use this code. Your profile sends the link.'

/** Why the coupon is not for this buyer. */
function audienceRefusal(coupon: Coupon): string | null {
  const { audience, buyer_is_confirmed, buyer_has_ordered, buyer_is_chosen } = coupon
  switch (audience) {
    case 'everybody':
      return null
    case 'confirmed':
      return buyer_is_confirmed ? null : UNCONFIRMED
    case 'first_order':
      return buyer_has_ordered ? 'This code is for a first order.' : null
    case 'chosen':
      if (buyer_is_chosen === null) return 'This code is for some customers. Log in to use it.'
      return buyer_is_chosen ? null : 'This code is for other customers.'
  }
}

/** Why the coupon does not apply to a cart, as a sentence for the buyer; null when it does. */
export function refusalOf(
  coupon: Coupon | undefined,
  { now, currency, lines, shipping, applied }: Cart,
): string | null {
  if (!coupon) return 'There is no such code.'
  const refusal = expiryOf(coupon, now) ?? audienceRefusal(coupon)
  if (refusal !== null) return refusal
  const other = applied.find((one) => !one.is_combinable || !coupon.is_combinable)
  if (other) return `This code cannot be combined with ${other.title ?? other.code}.`
  if (!lines.some((line) => appliesTo(coupon, line)))
    return 'This code does not apply to any product in your cart.'
  const subtotal = lines.reduce((sum, line) => sum + line.price_minor * line.quantity, 0)
  if (subtotal < coupon.minimum_minor)
    return `This code needs a cart of at least ${formatMinor(coupon.minimum_minor, currency, coupon.locale)}.`
  return coupon.is_free_shipping ? freeShippingRefusal(shipping) : null
}
