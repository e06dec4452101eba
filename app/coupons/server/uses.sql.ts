/** SQL that takes and returns the uses of coupons, also inside a statement of another domain. */
import { type RawBuilder, sql } from 'kysely'
import type { Invariant } from '#app/shared/server/domain-module.ts'
import type { Database, StoredQuote } from '#db/schema.ts'
import { couponIdsIn } from './coupon.ts'

/** A payment, and the coupons that it uses. */
export type CouponUse = { paymentId: string; userId: string; couponIds: string[] }

/** The constraint that two uses of a coupon by one customer at the same time violate. */
export const CONCURRENT_USE = 'coupon_uses_once'

/**
 * Whether a customer has an order, also from a closed account of the address. A cancelled order is none, and a
 * test order is none any more when test orders are undone.
 */
export const hasOrdered = (userId: RawBuilder<unknown>): RawBuilder<boolean> => sql`
  exists (select from orders where user_id = any(accounts_of(${userId}))
    and status <> 'cancel' and not (test and stock_returned_at is not null))`

/**
 * Whether a payment of a customer without an order holds a coupon for a first order: another payment that
 * were completed before it would be a first order, too.
 */
const holdsFirstOrder = (userId: RawBuilder<unknown>): RawBuilder<boolean> => sql`
  exists (select from coupon_uses
    join coupons as held on held.id = coupon_id and held.audience = 'first_order'
    where user_id = any(accounts_of(${userId}))
      and not exists (select from orders where orders.payment_id = coupon_uses.payment_id))`

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
      and (audience <> 'first_order'
        or not (${hasOrdered(sql`${userId}::uuid`)} or ${holdsFirstOrder(sql`${userId}::uuid`)}))
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

/**
 * Reserves the coupons of a quote inside the statement that stores its payment. None is locked unless
 * `before` is true, and none is reserved unless `isReserved` is. `locked` are common table expressions that
 * lock, before the stock is locked, and `reserved` those that reserve, after the stock is reserved: both are
 * empty for a quote without coupons. `condition` is whether every coupon can be used so; one for a first
 * order never can.
 */
export function couponsReserved(
  payment: { id: string; userId: string; quote: Pick<StoredQuote, 'adjustments'> },
  before: RawBuilder<boolean>,
  isReserved: RawBuilder<boolean>,
) {
  const couponIds = couponIdsIn(payment.quote)
  if (couponIds.length === 0) return { locked: sql``, condition: before, reserved: sql`` }
  const use = { paymentId: payment.id, userId: payment.userId, couponIds }
  // one for a first order is taken with the buyer locked: in one statement, another that is being taken is not seen
  const isInStatement = sql<boolean>`${before} and audience <> 'first_order'`
  return {
    locked: sql`${couponsLocked(use, isInStatement)},`,
    condition: areUsable(use),
    reserved: sql`, ${couponsUsed(use, isReserved)}`,
  }
}

/** Locks coupons, in the order of their ids, until the transaction ends. */
export const lockCoupons = (tx: Database, ids: string[]) =>
  sql`select from coupons where id = any(${ids}::uuid[]) order by id for no key update`.execute(tx)

/** Takes one use of each coupon, or none; answers whether it did. */
export async function insertUses(tx: Database, use: CouponUse): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    with ${couponsLocked(use, sql`true`)}, ${couponsUsed(use, areUsable(use))}
    select id from used_coupons`.execute(tx)
  return rows.length === use.couponIds.length
}

/** Releases the uses of all test orders, inside the caller's transaction, and answers how many they were. */
export async function releaseTestCoupons(tx: Database): Promise<number> {
  const { rows } = await sql<{ returned: number }>`
    with returned as (
      delete from coupon_uses using orders
      where orders.payment_id = coupon_uses.payment_id and test returning coupon_id
    ),
    locked as (
      select coupons.id, counted.uses from coupons
      join (select coupon_id, count(*)::integer as uses from returned group by coupon_id) as counted
        on counted.coupon_id = coupons.id
      order by coupons.id
      for no key update of coupons
    )
    update coupons set uses = coupons.uses - locked.uses
    from locked
    where coupons.id = locked.id
    returning locked.uses as returned`.execute(tx)
  return rows.reduce((sum, { returned }) => sum + returned, 0)
}

/** Stores whose uses those of an account are that is being closed, if it has any. */
export const insertFormerUser = (tx: Database, userId: string) =>
  sql`
    insert into former_coupon_users (user_id, address_hash)
    select id, address_hash(email_key) from users
    where id = ${userId}::uuid and exists (select from coupon_uses where user_id = users.id)`.execute(
    tx,
  )

/**
 * Returns the uses of a payment. The coupons of these ids, whose uses the transaction takes next, are
 * locked with them, in the order of their ids: so concurrent exchanges never deadlock.
 */
export const deleteUses = (tx: Database, paymentId: string, next: string[] = []) =>
  sql`
    with returned as (
      delete from coupon_uses where payment_id = ${paymentId}::uuid returning coupon_id
    ),
    locked as (
      select coupons.id, returned.coupon_id is not null as is_returned
      from coupons left join returned on returned.coupon_id = coupons.id
      where returned.coupon_id is not null or coupons.id = any(${next}::uuid[])
      order by coupons.id
      for no key update of coupons
    )
    update coupons set uses = uses - 1
    from locked
    where coupons.id = locked.id and is_returned`.execute(tx)

/** The uses of coupons are those of reservations and orders. */
export const COUPON_INVARIANTS: Invariant[] = [
  {
    name: 'coupon_uses',
    violation: 'a coupon whose count of uses is not that of its recorded uses',
    query: sql`
      select id from coupons
      where uses <> (select count(*) from coupon_uses where coupon_id = coupons.id)`,
  },
  {
    name: 'coupon_held',
    violation: 'a payment that uses a coupon, and neither reserves its stock nor paid for an order',
    query: sql`
      select payment_id as id from coupon_uses join payments on payments.id = payment_id
      where not (state = 'open' and reserved_until is not null)
        and not exists (select from orders where orders.payment_id = payments.id)`,
  },
  {
    name: 'coupon_of_order',
    violation:
      'an order with a discount whose coupon it does not use, but for a test order that was undone, and one that was never paid',
    query: sql`
      select order_id as id from order_adjustments join orders on orders.id = order_id
        join payments on payments.id = orders.payment_id
      where state <> 'cancelled' and kind = 'discount' and not (orders.test and stock_returned_at is not null)
        and not exists (select from coupon_uses
        join coupons on coupons.id = coupon_id
        where payment_id = orders.payment_id and coupons.code = source)`,
  },
]
