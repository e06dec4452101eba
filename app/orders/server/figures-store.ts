import { type RawBuilder, sql } from 'kysely'
import { dayOf, startOfDay } from '#app/shared/server/settings/day-store.ts'
import { countRows } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'
import type { Figures } from '../admin-contract.ts'
import { REVENUE_SHARE } from './net-revenue.sql.ts'

/** The number of days in the figures, today included, by the database's clock. */
const DAYS = 30
const BEST = 5
const LOWEST = 10

const TODAY = dayOf(sql`now()`)

/** Orders that count: of this currency, and neither cancelled nor tests. `kept` is the share of revenue. */
const recentSales = (currency: string) => sql`(
  select orders.id, orders.created_at, total_minor, ${REVENUE_SHARE} as kept
  from orders cross join lateral money_of(orders.payment_id) as money
  where orders.created_at >= ${startOfDay(TODAY, 1 - DAYS)} and orders.status <> 'cancel' and not orders.test
    and orders.currency = ${currency}::text
)`

/** An amount of minor units as the API returns it. */
const major = (minor: RawBuilder<unknown>) => sql`(${minor} / 100.0)::float8`

/** Sales of each day less their refunds, without wholly refunded orders and those without any money yet, oldest first, with zeros for days without orders. */
export async function selectDays(db: Database, currency: string) {
  const { rows } = await sql<Figures['days'][number]>`
    with sales as (
      select ${dayOf(sql`created_at`)} as day, count(*) filter (where kept > 0) as orders,
        sum(round(total_minor * kept)) as revenue_minor
      from ${recentSales(currency)} as sales group by 1
    )
    select days.day::text, coalesce(orders, 0)::integer as orders,
      ${major(sql`coalesce(revenue_minor, 0)`)} as revenue
    from (
      select ${TODAY} - ago as day
      from generate_series(0, ${DAYS - 1}::integer) as ago
    ) as days left join sales using (day)
    order by days.day`.execute(db)
  return rows
}

/**
 * The products with the most pieces sold, and their revenue after discounts and refunds, a refund in
 * proportion to the lines of its order. A wholly refunded order does not count. A deleted product has a
 * name under which it was sold.
 */
export async function selectBestSellers(db: Database, currency: string) {
  const { rows } = await sql<Figures['bestSellers'][number]>`
    with best as (
      select product_id, max(order_lines.name) as name, sum(quantity)::integer as pieces,
        round(sum((quantity::bigint * price_minor - discount_minor) * kept)) as revenue_minor
      from ${recentSales(currency)} as sales join order_lines on order_id = sales.id
      where kept > 0
      group by product_id
      order by pieces desc, revenue_minor desc, product_id limit ${BEST}
    )
    select product_id as _id, coalesce(products.name, best.name) as name, slug, pieces,
      ${major(sql`revenue_minor`)} as revenue
    from best left join products on products.id = product_id
    order by pieces desc, revenue_minor desc, product_id`.execute(db)
  return rows
}

/** The tax of the period by rate, less that of refunds, in proportion to the refunded amounts. */
export async function selectTaxes(db: Database, currency: string) {
  const { rows } = await sql<Figures['taxes'][number]>`
    select label, ${major(sql`round(sum(basis_minor * kept))`)} as basis,
      ${major(sql`round(sum(amount_minor * kept))`)} as amount
    from ${recentSales(currency)} as sales join order_adjustments on order_id = sales.id
    where kind = 'tax' and basis_minor is not null and kept > 0
    group by label
    order by amount desc, label`.execute(db)
  return rows
}

/** The amount that is still owed of unpaid orders, and their number. A cancelled one is not owed. */
export async function selectOwed(db: Database, currency: string): Promise<Figures['owed']> {
  const { rows } = await sql<Figures['owed']>`
    select ${major(sql`coalesce(sum(amount_minor - coalesce(received_minor, 0)), 0)`)} as amount,
      count(*)::integer as orders
    from payments left join (
      select payment_id, sum(amount_minor) as received_minor from captures
      where payment_id in (select id from payments where state = 'owed') group by payment_id
    ) as received on payment_id = payments.id
    where state = 'owed' and currency = ${currency}::text`.execute(db)
  return rows[0] ?? { amount: 0, orders: 0 }
}

/** Products with few pieces left, scarcest first. */
export const selectRunningLow = (db: Database, lowStock: number) =>
  db
    .selectFrom('products')
    .select(['id as _id', 'name', 'slug', 'quantity'])
    .where('quantity', '<=', lowStock)
    .orderBy('quantity')
    .orderBy('id')
    .limit(LOWEST)
    .execute()

/** The number of payments that need attention. */
export const countPaymentsInNeed = (db: Database): Promise<number> =>
  countRows(db.selectFrom('payments_needing_attention'))
