import { type RawBuilder, sql } from 'kysely'
import type { Figures, FiguresQuery, PeriodName } from '#app/orders/admin-contract.ts'
import { isLow } from '#app/products/server/stock-levels.sql.ts'
import { optionsOf } from '#app/products/server/variants/price.sql.ts'
import { nameOfVariant } from '#app/products/variant-model.ts'
import { counts } from '#app/settings/server/demo.sql.ts'
import { majorUnits } from '#app/shared/server/settings/currency-store.ts'
import { dayOf, startOfDay, TIME_ZONE } from '#app/shared/server/settings/day-store.ts'
import { countRows } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'
import { REVENUE_SHARE } from '../net-revenue.sql.ts'

const BEST = 5
const LOWEST = 10

const TODAY = dayOf(sql`now()`)

/** The days `from` to `to`, and what the chart has a bar for. */
export type Period = { from: string; to: string; days: number; unit: Figures['period']['unit'] }

/** The first day of each period that ends on the day `"to"`. */
const FIRST_DAYS: Record<PeriodName, RawBuilder<string>> = {
  today: sql`"to"`,
  '7_days': sql`"to" - 6`,
  '30_days': sql`"to" - 29`,
  '90_days': sql`"to" - 89`,
  month: sql`date_trunc('month', "to")::date`,
  year: sql`date_trunc('year', "to")::date`,
  last_week: sql`date_trunc('week', "to")::date`,
  last_month: sql`date_trunc('month', "to")::date`,
}

/** The last days of periods that are over; others end today. */
const LAST_DAYS: Partial<Record<PeriodName, RawBuilder<string>>> = {
  last_week: sql`date_trunc('week', ${TODAY})::date - 1`,
  last_month: sql`date_trunc('month', ${TODAY})::date - 1`,
}

/** The days of a query: the given ones, or those of a period. */
export async function selectPeriod(db: Database, query: FiguresQuery): Promise<Period> {
  const { period = '30_days', from = null, to = null } = query
  const { rows } = await sql<{ from: string; to: string; days: number }>`
    select "from"::text, "to"::text, "to" - "from" + 1 as days
    from (select coalesce(${to}::date, ${LAST_DAYS[period] ?? TODAY}) as "to") as last cross join lateral (
      select coalesce(${from}::date, ${FIRST_DAYS[period]}) as "from"
    ) as first`.execute(db)
  const [found] = rows
  if (!found) throw new Error('The period has no row.')
  return { ...found, unit: unitOf(found.days) }
}

/** At most about a hundred bars fit into the chart. */
function unitOf(days: number): Period['unit'] {
  if (days <= 92) return 'day'
  return days <= 2 * 366 ? 'week' : 'month'
}

/** The first moment of a period, and the first one after it. */
const momentsOf = ({ from, to }: Period) => ({
  start: startOfDay(from),
  end: startOfDay(to, 1),
})

/** The days before a period, as many as it has. Of a period that is not over, as much of the day is left out. */
const momentsBefore = ({ from, to, days }: Period) => ({
  start: startOfDay(from, -days),
  end: sql<Date>`((least(${startOfDay(to, 1)}, now()) at time zone ${TIME_ZONE})
    - make_interval(days => ${days}::integer)) at time zone ${TIME_ZONE}`,
})

/** The payments whose order was not paid in full, or was refunded or disputed: few, and found by indexes. */
const REDUCED = sql`(
  select payment_id from captures where id in (select capture_id from refunds where state = 'done')
  union all select payment_id from captures where disputed_minor > 0
  union all select id from payments where state = 'owed'
)`

/**
 * Orders that count: of this currency, and neither cancelled nor tests, but in the demo. `kept` is the share of revenue: the money
 * of orders for which it is 1 is not read.
 */
const salesBetween = (currency: string, { start, end }: ReturnType<typeof momentsOf>) => sql`(
  select orders.id, orders.user_id, orders.created_at, total_minor, coalesce(reduced.kept, 1) as kept, paid_minor
  from orders left join (
    select orders.id, ${REVENUE_SHARE} as kept, paid_minor
    from orders cross join lateral money_of(orders.payment_id) as money
    where orders.payment_id in ${REDUCED}
  ) as reduced on reduced.id = orders.id
  where orders.created_at >= ${start} and orders.created_at < ${end} and orders.status <> 'cancel'
    and ${counts('orders.test')} and orders.currency = ${currency}::text
)`

/**
 * Sales of each day, week or month of a period less their refunds, without wholly refunded orders and those without
 * any money yet, oldest first, with zeros for those without orders. A week begins on Monday.
 */
export async function selectBuckets(db: Database, currency: string, period: Period) {
  const { from, to, unit } = period
  const bucketOf = (moment: RawBuilder<unknown>) =>
    sql`date_trunc(${sql.lit(unit)}, ${moment})::date`
  const { rows } = await sql<Figures['days'][number]>`
    with sales as (
      select ${bucketOf(sql`created_at at time zone ${TIME_ZONE}`)} as day,
        count(*) filter (where kept > 0) as orders, sum(round(total_minor * kept)) as revenue_minor
      from ${salesBetween(currency, momentsOf(period))} as sales group by 1
    )
    select greatest(days.day, ${from}::date)::text as day, coalesce(orders, 0)::integer as orders,
      ${majorUnits(sql`coalesce(revenue_minor, 0)`, currency)} as revenue
    from (
      select day::date as day from generate_series(
        ${bucketOf(sql`${from}::timestamp`)}, ${to}::timestamp, ${sql.lit(`1 ${unit}`)}::interval
      ) as day
    ) as days left join sales using (day)
    order by days.day`.execute(db)
  return rows
}

/** The sales of a period, or of the time before it, and how many of its orders are of customers who had ordered before. */
export async function selectTotals(
  db: Database,
  currency: string,
  period: Period,
  when: 'in it' | 'before' = 'in it',
) {
  const moments = when === 'before' ? momentsBefore(period) : momentsOf(period)
  const { rows } = await sql<Figures['totals']>`
    with buyers as (
      select user_id, count(*) as orders, min(created_at) as first_at,
        sum(round(total_minor * kept)) as revenue_minor
      from ${salesBetween(currency, moments)} as sales where kept > 0 group by user_id
    )
    select coalesce(sum(orders), 0)::integer as orders,
      ${majorUnits(sql`coalesce(sum(revenue_minor), 0)`, currency)} as revenue,
      coalesce(sum(orders - case when exists (
        select from orders as former where former.user_id = buyers.user_id
          and former.created_at < first_at and former.status <> 'cancel' and ${counts('former.test')}
      ) then 0 else 1 end), 0)::integer as returning
    from buyers`.execute(db)
  return rows[0] ?? { orders: 0, revenue: 0, returning: 0 }
}

/**
 * The refunds by lines of `sales`: the share of the order's money in each, and what was refunded of each minor unit
 * that was proposed for its lines.
 */
const REFUNDED_BY_LINES = sql`(
  select order_id, refund_id, refunds.amount_minor / nullif(sum(line.amount_minor), 0) as ratio,
    case when sum(line.amount_minor) > 0 then refunds.amount_minor::numeric / paid_minor else 0 end as share
  from sales join refund_lines as line on order_id = sales.id join refunds on refunds.id = refund_id
  where kept > 0 and kept < 1 and state = 'done'
  group by order_id, refund_id, refunds.amount_minor, paid_minor
)`

/**
 * The products with the most pieces sold less those refunded, and their revenue after discounts and refunds: a refund
 * by lines is of these, any other in proportion to the lines of its order. A wholly refunded order does not count. A
 * deleted product has a name under which it was sold.
 */
export async function selectBestSellers(db: Database, currency: string, period: Period) {
  const { rows } = await sql<Figures['bestSellers'][number]>`
    with sales as ${salesBetween(currency, momentsOf(period))},
    refunded as ${REFUNDED_BY_LINES},
    best as (
      select product_id, max(sold.name) as name, sum(sold.quantity - coalesce(returned.pieces, 0))::integer as pieces,
        round(sum((sold.quantity::bigint * price_minor - discount_minor)
          * least(kept + coalesce((select sum(share) from refunded where order_id = sales.id), 0), 1)
          - coalesce(returned.revenue_minor, 0))) as revenue_minor
      from sales join order_lines as sold on sold.order_id = sales.id
      left join lateral (
        select sum(line.quantity) as pieces,
          sum((line.quantity::bigint * price_minor - line.discount_minor) * coalesce(ratio, 0)) as revenue_minor
        from refunded join refund_lines as line using (order_id, refund_id)
        where kept < 1 and order_id = sales.id and kind = 'product' and line.position = sold.position
      ) as returned on true
      where kept > 0
      group by product_id
      having sum(sold.quantity - coalesce(returned.pieces, 0)) > 0
      order by pieces desc, revenue_minor desc, product_id limit ${BEST}
    )
    select product_id as _id, coalesce(products.name, best.name) as name, slug, pieces,
      ${majorUnits(sql`revenue_minor`, currency)} as revenue
    from best left join products on products.id = product_id
    order by pieces desc, revenue_minor desc, product_id`.execute(db)
  return rows
}

/** The tax of a period by rate, less that of refunds, in proportion to the refunded amounts. */
export async function selectTaxes(db: Database, currency: string, period: Period) {
  const { rows } = await sql<Figures['taxes'][number]>`
    select label, ${majorUnits(sql`round(sum(basis_minor * kept))`, currency)} as basis,
      ${majorUnits(sql`round(sum(amount_minor * kept))`, currency)} as amount
    from ${salesBetween(currency, momentsOf(period))} as sales join order_adjustments on order_id = sales.id
    where kind = 'tax' and basis_minor is not null and kept > 0
    group by label
    order by amount desc, label`.execute(db)
  return rows
}

/** The amount that is still owed of unpaid orders, and their number. A cancelled one is not owed. */
export async function selectOwed(db: Database, currency: string): Promise<Figures['owed']> {
  const { rows } = await sql<Figures['owed']>`
    select ${majorUnits(sql`coalesce(sum(amount_minor - coalesce(received_minor, 0)), 0)`, currency)} as amount,
      count(*)::integer as orders
    from payments left join (
      select payment_id, sum(amount_minor) as received_minor from captures
      where payment_id in (select id from payments where state = 'owed') group by payment_id
    ) as received on payment_id = payments.id
    where state = 'owed' and currency = ${currency}::text`.execute(db)
  return rows[0] ?? { amount: 0, orders: 0 }
}

/** Variants with few pieces left, scarcest first; a product without options is its variant. */
export async function selectRunningLow(db: Database) {
  const { rows } = await sql<Low>`
    select case when has_options then found.id else products.id end as _id, name, slug, found.quantity,
      ${optionsOf('found')} as options
    from (
      select * from variants where ${isLow(sql`quantity`)}
      order by quantity, product_id, id limit ${LOWEST}::integer
    ) as found
    join products on products.id = product_id
    order by found.quantity, products.id, found.id`.execute(db)
  return rows.map(({ options, ...low }) => ({ ...low, name: nameOfVariant({ ...low, options }) }))
}

type Low = {
  _id: string
  name: string
  slug: string
  quantity: number
  options: { value: string }[] | null
}

/** The number of payments that need attention. */
export const countPaymentsInNeed = (db: Database): Promise<number> =>
  countRows(db.selectFrom('payments_needing_attention'))
