import { type InsertObject, type RawBuilder, sql, type UpdateObject } from 'kysely'
import { toMajor } from '#app/shared/model/minor-units.ts'
import type { AuditedRows } from '#app/shared/server/domain-module.ts'
import type { Slice } from '#app/shared/server/pagination.ts'
import { sectionOf } from '#app/shared/server/personal-data-store.ts'
import { SHOP_CURRENCY } from '#app/shared/server/settings/currency-store.ts'
import { startOfDay, TIME_ZONE } from '#app/shared/server/settings/day-store.ts'
import { anyOf, changesRow, containing, countRows } from '#app/shared/server/store.ts'
import { PREPARED } from '#db/prepared.ts'
import type { Database, Schema } from '#db/schema.ts'
import type { COUPON_STATES, CouponFilter } from '../admin-contract.ts'
import type { Coupon } from './coupon.ts'
import { quotedCoupons } from './quoted.sql.ts'

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

/** The chosen customers of a coupon, by name. */
const customersOf = sql<{ _id: string; name: string }[]>`(
  select coalesce(json_agg(json_build_object('_id', id, 'name', name) order by name, id), '[]')
  from users where id = any(coupons.user_ids))`

/** Whether only customers with a confirmed address may use it. */
const NEEDS_CONFIRMED = sql<boolean>`(audience = 'confirmed' or max_uses_each is not null)`

/**
 * Whether there is a customer for it, or may be: of chosen ones, an open account of which the condition is true. No
 * address is confirmed in a shop that sends no e-mail (`mails`).
 */
const hasCustomer = (mails: boolean, condition = sql<boolean>`true`) => sql<boolean>`
  case when audience = 'chosen' then exists (
    select from users
    where users.id = any(coupons.user_ids) and closed_at is null
      and (${mails}::boolean or not ${NEEDS_CONFIRMED} or email_confirmed_at is not null) and ${condition})
  else ${mails}::boolean or not ${NEEDS_CONFIRMED} or exists (
    select from users where email_confirmed_at is not null and closed_at is null) end`

const MAY_USE = sql<boolean>`(max_uses_each is null or max_uses_each > (select count(*) from coupon_uses
  where coupon_id = coupons.id and user_id = any(accounts_of(users.id))))`

/** Whether it is for everything, or for products or categories of which one is still there. */
const HAS_GOODS = sql<boolean>`(cardinality(product_ids) + cardinality(category_ids) = 0
  or exists (select from products where id = any(coupons.product_ids))
  or exists (select from categories where id = any(coupons.category_ids)))`

type State = (typeof COUPON_STATES)[number]

const stateOf = (mails: boolean) => sql<State>`case
  when ends_at <= now() then 'ended'
  when not (${hasCustomer(mails)}) or not ${HAS_GOODS} then 'unusable'
  when uses >= max_uses or not (${hasCustomer(mails, MAY_USE)}) then 'used_up'
  when starts_at > now() then 'scheduled' else 'active' end`

/** What every coupon in a state has that most in other states lack, where the rest is costly to know. */
const NEEDED: { [Rare in State]?: RawBuilder<boolean> } = {
  used_up: sql`uses >= max_uses or audience = 'chosen'`,
  unusable: sql`audience = 'chosen' or ${NEEDS_CONFIRMED}
    or cardinality(product_ids) + cardinality(category_ids) > 0`,
}

const isIn = (state: State, mails: boolean) => {
  const is = sql<boolean>`${stateOf(mails)} = ${state}`
  return NEEDED[state] ? sql<boolean>`case when ${NEEDED[state]} then ${is} else false end` : is
}

/** The text by which a coupon is sorted, as in its index. */
const NAME = sql<string>`upper(coalesce(title, code))`

/** The coupons that are not deleted. */
const selected = (db: Database, mails: boolean) =>
  db
    .selectFrom('coupons')
    .where('deleted_at', 'is', null)
    .select(['id as _id', 'title', 'percent', 'category_ids as categories', 'uses', 'audience'])
    .select(['max_uses as maxUses', 'max_uses_each as maxUsesEach', 'is_combinable as combinable'])
    .select('is_free_shipping as freeShipping')
    .select([
      sql<string | null>`case when title is null then code end`.as('code'),
      'amount_minor',
      'minimum_minor',
      SHOP_CURRENCY.as('currency'),
      productsOf.as('products'),
      customersOf.as('customers'),
      stateOf(mails).as('state'),
      firstDay.as('from'),
      lastDay.as('to'),
    ])

type SelectedCoupon = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number]

/** A coupon as the API returns it. */
const presentCoupon = ({ amount_minor, minimum_minor, currency, ...row }: SelectedCoupon) => ({
  ...row,
  amount: amount_minor === null ? null : toMajor(amount_minor, currency),
  minimum: toMajor(minimum_minor, currency),
})

const SORTS = { created: sql`id`, name: NAME, uses: sql`uses` }

const isSort = (column: string): column is keyof typeof SORTS => column in SORTS

/** A page of the coupons that match a filter, newest first by default, and how many match. */
export async function selectCoupons(
  db: Database,
  { q = '', state, sort = '-created' }: CouponFilter,
  { limit, offset }: Slice,
  mails: boolean,
) {
  const text = q.trim()
  const matching = db
    .selectFrom('coupons')
    .where('deleted_at', 'is', null)
    // by their ids, which are read first: few are found, and the planner expects many
    .$if(text !== '', (rest) =>
      rest.where(
        'id',
        '=',
        sql<string>`any(array(select id from coupons
        where deleted_at is null and folded(coalesce(title, code)) like ${containing(text)}))`,
      ),
    )
    .$if(state !== undefined, (rest) => rest.where(isIn(state ?? 'active', mails)))
  const column = sort.replace('-', '')
  const by = isSort(column) ? SORTS[column] : SORTS.created
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const [page, total] = await Promise.all([
    db
      .selectFrom(
        matching
          .select(['id', by.as('sorted_by')])
          // those in a rare state are found before they are sorted: by the order, all were read
          .$if(state !== undefined && state in NEEDED, (rest) => rest.offset(sql.lit(0)))
          .as('found'),
      )
      .orderBy('sorted_by', direction)
      .orderBy('id', direction)
      .limit(limit)
      .offset(offset)
      .select('id')
      .execute(),
    countRows(matching),
  ])
  const ids = page.map(({ id }) => id)
  const rows = await selected(db, mails).where('id', '=', anyOf(ids)).execute()
  const byId = new Map(rows.map((row) => [row._id, presentCoupon(row)]))
  return { coupons: ids.flatMap((id) => byId.get(id) ?? []), total }
}

export async function selectCoupon(db: Database, id: string, mails: boolean) {
  const row = await selected(db, mails).where('id', '=', id).executeTakeFirst()
  return row && presentCoupon(row)
}

/** The beginning of the first day, and the end of the last one. */
export const momentsOf = (from?: string, to?: string) => ({
  starts_at: from === undefined ? null : startOfDay(from),
  ends_at: to === undefined ? null : startOfDay(to, 1),
})

export const insertCoupon = (tx: Database, coupon: InsertObject<Schema, 'coupons'>) =>
  tx.insertInto('coupons').values(coupon).execute()

/** The title that a change leaves: a coupon with a code has none, and an automatic one keeps one. */
export const titleOf = (given: string | undefined) =>
  sql<string | null>`case when title is not null then coalesce(${given ?? null}::text, title) end`

/** How many automatic discounts run or wait. */
export const countAutomatic = (db: Database): Promise<number> =>
  countRows(
    db
      .selectFrom('coupons')
      .where('title', 'is not', null)
      .where('deleted_at', 'is', null)
      .where(sql<boolean>`coalesce(ends_at > now(), true)`),
  )

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
      SHOP_CURRENCY.as('currency'),
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

/** The coupons of these keys that are not deleted. An automatic discount has no code. */
export async function selectByKeys(db: Database, keys: string[], buyerId: string | undefined) {
  const condition = sql<boolean>`title is null and code_key = any(${keys}::text[])`
  const { rows } = await sql<Coupon & { code_key: string }>`
    ${PREPARED} ${quotedCoupons(buyerId, condition)}`.execute(db)
  return rows
}

/** The names of coupons in the history. */
export const AUDITED_COUPONS: AuditedRows = {
  coupons: {
    name: sql`(select coalesce(title, code) from coupons where id = audit_log.row_id)`,
  },
}

/** The discounts for which a customer was chosen. */
export const chosenDiscounts = sectionOf(
  (userId) => sql`
    select id::text as key, jsonb_build_object('id', id, 'code', code, 'title', title) as item
    from coupons where ${userId}::uuid = any(user_ids)`,
)
