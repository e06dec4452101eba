import { sql } from 'kysely'
import type { Invariant } from '#app/shared/server/domain-module.ts'
import type { Database } from '#db/schema.ts'
import { areUsable, type CouponUse, couponsLocked, couponsUsed } from './uses.sql.ts'

const ALWAYS = sql<boolean>`true`

/** Locks coupons, in the order of their ids, until the transaction ends. */
export const lockCoupons = (tx: Database, ids: string[]) =>
  sql`select from coupons where id = any(${ids}::uuid[]) order by id for no key update`.execute(tx)

/** Takes one use of each coupon, or none; answers whether it did. */
export async function insertUses(tx: Database, use: CouponUse): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    with ${couponsLocked(use, ALWAYS)}, ${couponsUsed(use, areUsable(use))}
    select id from used_coupons`.execute(tx)
  return rows.length === use.couponIds.length
}

/** Returns the uses of all test orders, and answers how many they were. */
export async function deleteUsesOfTests(tx: Database): Promise<number> {
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
      where not (state = 'created' and reserved_until is not null)
        and not exists (select from orders where orders.payment_id = payments.id)`,
  },
  {
    name: 'coupon_of_order',
    violation:
      'an order with a discount whose coupon it does not use, but for a test order that was undone',
    query: sql`
      select order_id as id from order_adjustments join orders on orders.id = order_id
      where kind = 'discount' and not (test and stock_returned_at is not null)
        and not exists (select from coupon_uses
        join coupons on coupons.id = coupon_id
        where payment_id = orders.payment_id and coupons.code = source)`,
  },
]
