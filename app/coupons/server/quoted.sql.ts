/** SQL that reads coupons and automatic discounts as a quote needs them. */
import { type RawBuilder, sql } from 'kysely'
import { TIME_ZONE } from '#app/shared/server/settings/day-store.ts'
import type { Coupon } from './coupon.ts'
import { hasOrdered } from './uses.sql.ts'

/** The shop's locale, such as en-IN; that of the API's messages before the first start. */
const LOCALE = sql<string>`coalesce((select value ->> 'locale' from settings where name = 'shop'), 'en-US')`

/**
 * Coupons with what the buyer may do with them. A use that the buyer's own started payment reserves is not
 * counted: another start replaces that payment. Neither are those of reservations that yield. The planner does
 * not see the buyer, so that one plan of a prepared statement serves every quote.
 */
export const quotedCoupons = (
  buyerId: string | undefined,
  condition: RawBuilder<boolean>,
): RawBuilder<Coupon & { code_key: string }> => sql`
  select coupons.id, code, code_key, title, percent, amount_minor, is_free_shipping, minimum_minor,
    product_ids, category_ids, starts_at, ends_at, ${TIME_ZONE} as time_zone, max_uses, max_uses_each,
    is_combinable, audience, ${LOCALE} as locale,
    coupons.uses - made.reserved - case when coupons.uses < max_uses then 0 else (
      select count(*) from coupon_uses join yielding_reservations as yielding
        on yielding.id = payment_id and yielding.user_id is distinct from buyer.id
      where coupon_id = coupons.id)::integer end as uses,
    made.uses - made.reserved as buyer_uses,
    coalesce((select email_confirmed_at is not null from users where users.id = buyer.id), title is null)
      as buyer_is_confirmed,
    audience = 'first_order' and ${hasOrdered(sql`buyer.id`)} as buyer_has_ordered,
    buyer.id = any(user_ids) as buyer_is_chosen
  from coupons cross join (select ${buyerId ?? null}::uuid as id offset 0) as buyer
  cross join lateral (
    select count(*)::integer as uses,
      (count(*) filter (where state = 'open' and reserved_until is not null))::integer as reserved
    from coupon_uses join payments on payments.id = payment_id
    where coupon_id = coupons.id and coupon_uses.user_id = any(accounts_of(buyer.id))
  ) as made
  where deleted_at is null and ${condition}`

/** The automatic discounts of this moment as JSON, oldest first. Without their days, which are not compared again. */
export const automaticDiscounts = (buyerId: string | undefined): RawBuilder<Coupon[]> => sql`(
  select coalesce(jsonb_agg(to_jsonb(found) || '{"starts_at": null, "ends_at": null}' order by id), '[]')
  from (${quotedCoupons(
    buyerId,
    sql`title is not null and coalesce(starts_at <= now(), true) and coalesce(ends_at > now(), true)`,
  )}) as found)`
