/** SQL that takes the uses of coupons inside a statement of another domain. */
import { type RawBuilder, sql } from 'kysely'
import type { StoredQuote } from '#db/schema.ts'
import { couponIdsIn } from './coupon.ts'

/** A payment, and the coupons that it uses. */
export type CouponUse = { paymentId: string; userId: string; couponIds: string[] }

/** The constraint that two uses of a coupon by one customer at the same time violate. */
export const CONCURRENT_USE = 'coupon_uses_once'

/**
 * The common table expression `usable_coupons`: the coupons of these ids that may be used once more,
 * locked in the order of their ids. None is locked unless the condition is true. The planner does not see
 * the number of ids, so that one plan of the prepared statement serves every quote.
 */
export const couponsLocked = (
  { userId, couponIds }: CouponUse,
  condition: RawBuilder<boolean>,
): RawBuilder<unknown> => sql`
  usable_coupons as (
    select coupons.id from coupons
    where coupons.id = any((select ${couponIds}::uuid[])::uuid[]) and deleted_at is null
      and (max_uses is null or uses < max_uses)
      and (max_uses_each is null or max_uses_each > (select count(*) from coupon_uses
        where coupon_id = coupons.id and user_id = any(accounts_of(${userId}::uuid))))
      and ${condition}
    order by coupons.id
    for no key update of coupons
  )`

/** The condition that all of them are usable. */
export const areUsable = ({ couponIds }: CouponUse): RawBuilder<boolean> =>
  sql`(select count(*) from usable_coupons) = ${couponIds.length}::integer`

/**
 * Common table expressions that take one use of each of `usable_coupons`, when the condition is true:
 * `used_coupons` has a row of each.
 */
export const couponsUsed = (
  { paymentId, userId }: CouponUse,
  condition: RawBuilder<boolean>,
): RawBuilder<unknown> => sql`
  used_coupons as (
    update coupons set uses = uses + 1
    from usable_coupons
    where coupons.id = usable_coupons.id and ${condition}
    returning coupons.id
  ),
  recorded_uses as (
    insert into coupon_uses (coupon_id, payment_id, user_id, ordinal)
    select id, ${paymentId}::uuid, ${userId}::uuid, 1 + coalesce((select max(ordinal) from coupon_uses
      where coupon_id = used_coupons.id and user_id = ${userId}::uuid), 0)
    from used_coupons
  )`

/** Parts of a statement; each is empty for a quote without coupons. */
type CouponsSql = {
  /** Common table expressions that lock, before the stock is locked. */
  locked: RawBuilder<unknown>
  /** Whether every coupon can be used. */
  condition: RawBuilder<boolean>
  /** Common table expressions that reserve, after the stock is reserved. */
  reserved: RawBuilder<unknown>
}

/**
 * Reserves the coupons of a quote inside the statement that stores its payment. None is locked unless
 * `before` is true, and none is reserved unless `isReserved` is.
 */
export function couponsReserved(
  payment: { id: string; userId: string; quote: Pick<StoredQuote, 'adjustments'> },
  before: RawBuilder<boolean>,
  isReserved: RawBuilder<boolean>,
): CouponsSql {
  const couponIds = couponIdsIn(payment.quote)
  if (couponIds.length === 0) return { locked: sql``, condition: before, reserved: sql`` }
  const use = { paymentId: payment.id, userId: payment.userId, couponIds }
  return {
    locked: sql`${couponsLocked(use, before)},`,
    condition: areUsable(use),
    reserved: sql`, ${couponsUsed(use, isReserved)}`,
  }
}
