import type { Coupon } from '#app/coupons/admin-contract.ts'
import { toMajor } from '#app/shared/server/minor-units.ts'
import type { CouponRow } from './store.ts'

/** Shown instead of the name that a deleted product had. */
const DELETED_PRODUCT = 'Deleted product'

/** A coupon as the API returns it. */
export const presentCoupon = (coupon: CouponRow): Coupon => ({
  _id: coupon.id,
  code: coupon.code,
  percent: coupon.percent,
  amount: coupon.amount_minor === null ? null : toMajor(coupon.amount_minor),
  minimum: toMajor(coupon.minimum_minor),
  products: coupon.products.map(({ _id, name }) => ({ _id, name: name ?? DELETED_PRODUCT })),
  categories: coupon.category_ids,
  from: coupon.first_day,
  to: coupon.last_day,
  maxUses: coupon.max_uses,
  maxUsesEach: coupon.max_uses_each,
  combinable: coupon.is_combinable,
  uses: coupon.uses,
})
