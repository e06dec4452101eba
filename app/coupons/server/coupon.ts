/** A coupon, and the lines for which it holds. */
import type { Row } from '#db/schema.ts'

/** A coupon, and its uses by other payments than the one that is being started. */
export type Coupon = Pick<
  Row<'coupons'>,
  | 'id'
  | 'code'
  | 'percent'
  | 'amount_minor'
  | 'minimum_minor'
  | 'product_ids'
  | 'category_ids'
  | 'starts_at'
  | 'ends_at'
  | 'max_uses'
  | 'max_uses_each'
  | 'is_combinable'
> & {
  uses: number
  /** Of the shop: days of the coupon are days in it. */
  time_zone: string
  /** Uses of the buyer; 0 for a guest. */
  buyer_uses: number
  /** Whether the buyer's e-mail address is confirmed; true for a guest, who has no account yet. */
  buyer_is_confirmed: boolean
}

/** A line of a quote, as far as a discount needs it. */
export type DiscountedLine = {
  product_id: string
  category_id: string
  quantity: number
  price_minor: number
  /** Its share of all discounts. */
  discount_minor: number
}

/** The form in which codes are compared. */
export const codeKey = (code: string) => code.trim().toUpperCase()

/** Whether the coupon holds for the line; one without products and categories holds for all. */
export const holdsFor = (
  { product_ids, category_ids }: Pick<Coupon, 'product_ids' | 'category_ids'>,
  { product_id, category_id }: Pick<DiscountedLine, 'product_id' | 'category_id'>,
): boolean =>
  (product_ids.length === 0 && category_ids.length === 0) ||
  product_ids.includes(product_id) ||
  category_ids.includes(category_id)
