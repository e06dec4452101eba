import { sql } from 'kysely'
import { TIME_ZONE } from '#app/shared/server/day/day-store.ts'
import { PREPARED } from '#db/prepared.ts'
import type { Database } from '#db/schema.ts'
import type { Coupon } from './coupon.ts'

/**
 * The coupons of these keys that are not deleted. A use that the buyer's own started payment holds is not
 * counted: another start replaces that payment. Neither are those of reservations that yield.
 */
export async function selectByKeys(
  db: Database,
  keys: string[],
  buyerId: string | undefined,
): Promise<(Coupon & { code_key: string })[]> {
  const { rows } = await sql<Coupon & { code_key: string }>`
    ${PREPARED} select coupons.id, code, code_key, percent, amount_minor, minimum_minor, product_ids, category_ids,
      starts_at, ends_at, ${TIME_ZONE} as time_zone, max_uses, max_uses_each, is_combinable,
      coupons.uses - buyer.held - case when coupons.uses < max_uses then 0 else (
        select count(*) from coupon_uses join yielding_reservations as yielding
          on yielding.id = payment_id and yielding.user_id is distinct from ${buyerId ?? null}::uuid
        where coupon_id = coupons.id)::integer end as uses, buyer.made - buyer.held as buyer_uses,
      coalesce((select email_confirmed_at is not null from users where id = ${buyerId ?? null}::uuid), true)
        as buyer_is_confirmed
    from coupons cross join lateral (
      select count(*)::integer as made,
        (count(*) filter (where state = 'created' and reserved_until is not null))::integer as held
      from coupon_uses join payments on payments.id = payment_id
      where coupon_id = coupons.id and coupon_uses.user_id = any(accounts_of(${buyerId ?? null}::uuid))
    ) as buyer
    where code_key = any(${keys}::text[]) and deleted_at is null`.execute(db)
  return rows
}
