/** What a buyer chooses beside the cart. A file of its own: the cart page needs no more of checkout. */
import { type Static, Type } from 'typebox'
import { Text } from '../shared/contract/fields.ts'

/** The most coupon codes of one cart. */
export const MOST_COUPON_CODES = 5

/** A code as a customer types it; case and surrounding blanks do not matter. */
export const CouponCode = Text({ minLength: 1, maxLength: 100 })

/** The quote and the start of a payment take the same choices. */
export const Choices = Type.Object({
  couponCodes: Type.Optional(Type.Array(CouponCode, { maxItems: MOST_COUPON_CODES })),
})
export type Choices = Static<typeof Choices>
