/** The buyer's choices beside the cart. A file of its own: the cart page needs no more of checkout. */
import { type Static, Type } from 'typebox'
import { Id, Text } from '../shared/contract/fields.ts'
import type { DeliveryAddress } from '../shipping/address-contract.ts'

/** The most coupon codes of one cart. */
export const MOST_COUPON_CODES = 5

/** A code as a customer types it; case and surrounding blanks do not matter. */
const CouponCode = Text({ minLength: 1, maxLength: 100 })

/** The quote and the start of a payment take the same choices. */
export const Choices = Type.Object({
  couponCodes: Type.Optional(Type.Array(CouponCode, { maxItems: MOST_COUPON_CODES })),
  shippingRate: Type.Optional({ ...Id, description: 'One of the choices of the quote' }),
})
export type Choices = Static<typeof Choices>

/** The choices with the whole delivery address, of which the quote takes the place. */
export type StartChoices = Choices & { delivery?: DeliveryAddress }
