import { type InsertObject, sql, type UpdateObject } from 'kysely'
import type { AuditedRows } from '#app/shared/server/domain-module.ts'
import { startOfDay, TIME_ZONE } from '#app/shared/server/settings/day-store.ts'
import { auditedColumn, changesRow, countRows } from '#app/shared/server/store.ts'
import { PREPARED } from '#db/prepared.ts'
import type { Database, Schema } from '#db/schema.ts'
import type { Coupon } from './coupon.ts'

/** The unique index on the code. */
export const CODE_TAKEN = 'coupons_by_code'
/** The check of the number of uses. */
export const OVERUSED = 'coupons_used_within_limit'

/** The products of a coupon. One that was deleted since has no name. */
const productsOf = sql<{ _id: string; name: string }[]>`(
  select coalesce(json_agg(json_build_object('_id', chosen.id, 'name', coalesce(name, 'Deleted product'))
    order by name, chosen.id), '[]')
  from unnest(coupons.product_ids) as chosen (id)
  left join products on products.id = chosen.id)`

/** The last day of a coupon whose end is the beginning of the day after. */
const lastDay = sql<string | null>`
  to_char((ends_at at time zone ${TIME_ZONE}) - interval '1 day', 'YYYY-MM-DD')`

const firstDay = sql<string | null>`to_char(starts_at at time zone ${TIME_ZONE}, 'YYYY-MM-DD')`

/** The coupons that are not deleted, as the API returns them. */
const presented = (db: Database) =>
  db
    .selectFrom('coupons')
    .where('deleted_at', 'is', null)
    .select(['id as _id', 'code', 'percent', 'category_ids as categories', 'uses'])
    .select(['max_uses as maxUses', 'max_uses_each as maxUsesEach', 'is_combinable as combinable'])
    .select([
      sql<number | null>`(amount_minor / 100.0)::float8`.as('amount'),
      sql<number>`(minimum_minor / 100.0)::float8`.as('minimum'),
      productsOf.as('products'),
      firstDay.as('from'),
      lastDay.as('to'),
    ])

/** A page of coupons, newest first. */
export const selectCoupons = (db: Database, { limit, offset }: { limit: number; offset: number }) =>
  presented(db).orderBy('id', 'desc').limit(limit).offset(offset).execute()

export const countCoupons = (db: Database): Promise<number> =>
  countRows(db.selectFrom('coupons').where('deleted_at', 'is', null))

export const selectCoupon = (db: Database, id: string) =>
  presented(db).where('id', '=', id).executeTakeFirst()

/** The beginning of the first day, and the end of the last one. */
export const momentsOf = (from?: string, to?: string) => ({
  starts_at: from === undefined ? null : startOfDay(from),
  ends_at: to === undefined ? null : startOfDay(to, 1),
})

export const insertCoupon = (tx: Database, coupon: InsertObject<Schema, 'coupons'>) =>
  tx.insertInto('coupons').values(coupon).execute()

/** False when there is no such coupon. */
export const updateCoupon = (
  tx: Database,
  id: string,
  changes: UpdateObject<Schema, 'coupons', 'coupons'>,
) =>
  changesRow(
    tx.updateTable('coupons').set(changes).where('id', '=', id).where('deleted_at', 'is', null),
  )

/** False when there is no such coupon, or it was ever used. */
export const deleteUnused = (tx: Database, id: string): Promise<boolean> =>
  changesRow(
    tx
      .deleteFrom('coupons')
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .where('uses', '=', 0),
  )

/** Soft delete: the coupon stays in exports and the audit log. False when there is no such coupon. */
export const markDeleted = (tx: Database, id: string): Promise<boolean> =>
  updateCoupon(tx, id, { deleted_at: sql<Date>`now()` })

/** The coupons after this id for the export, oldest first; the first ones after null. */
export const selectCouponsAfter = (db: Database, id: string | null, limit: number) =>
  db
    .selectFrom('coupons')
    .$if(id !== null, (rest) => rest.where('id', '>', id))
    .orderBy('id')
    .limit(limit)
    .selectAll()
    .select([
      firstDay.as('first_day'),
      lastDay.as('last_day'),
      sql<number>`(select count(*)::integer from coupon_uses
        join orders on orders.payment_id = coupon_uses.payment_id
        where coupon_id = coupons.id)`.as('orders'),
      sql<number>`(select coalesce(-sum(order_adjustments.amount_minor), 0)::bigint from coupon_uses
        join orders on orders.payment_id = coupon_uses.payment_id
        join order_adjustments on order_id = orders.id
        where coupon_id = coupons.id and kind = 'discount' and source = coupons.code)`.as(
        'discounted_minor',
      ),
    ])
    .execute()

/**
 * The coupons of these keys that are not deleted. A use that the buyer's own started payment reserves is
 * not counted: another start replaces that payment. Neither are those of reservations that yield.
 */
export async function selectByKeys(db: Database, keys: string[], buyerId: string | undefined) {
  const { rows } = await sql<Coupon & { code_key: string }>`
    ${PREPARED} select coupons.id, code, code_key, percent, amount_minor, minimum_minor, product_ids, category_ids,
      starts_at, ends_at, ${TIME_ZONE} as time_zone, max_uses, max_uses_each, is_combinable,
      coupons.uses - buyer.reserved - case when coupons.uses < max_uses then 0 else (
        select count(*) from coupon_uses join yielding_reservations as yielding
          on yielding.id = payment_id and yielding.user_id is distinct from ${buyerId ?? null}::uuid
        where coupon_id = coupons.id)::integer end as uses, buyer.made - buyer.reserved as buyer_uses,
      coalesce((select email_confirmed_at is not null from users where id = ${buyerId ?? null}::uuid), true)
        as buyer_is_confirmed
    from coupons cross join lateral (
      select count(*)::integer as made,
        (count(*) filter (where state = 'open' and reserved_until is not null))::integer as reserved
      from coupon_uses join payments on payments.id = payment_id
      where coupon_id = coupons.id and coupon_uses.user_id = any(accounts_of(${buyerId ?? null}::uuid))
    ) as buyer
    where code_key = any(${keys}::text[]) and deleted_at is null`.execute(db)
  return rows
}

/** The names of coupons in the history. */
export const AUDITED_COUPONS: AuditedRows = { coupons: { name: auditedColumn('coupons', 'code') } }
