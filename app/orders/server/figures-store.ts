import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/** The figures look back on so many days, today included, by the clock of the database. */
const DAYS = 30
const [BEST, LOWEST] = [5, 10]

const today = sql`day_of(now())`
const firstDay = sql`${today} - ${DAYS - 1}::integer`

type Day = { day: string; orders: number; revenue_minor: number }

/** Each day with its sales, the oldest first; one without any has zeros. */
export async function selectDays(db: Database): Promise<Day[]> {
  const { rows } = await sql<Day>`
    select
      (${firstDay} + n)::text as day,
      coalesce(sum(orders), 0)::integer as orders,
      coalesce(sum(revenue_minor), 0)::bigint as revenue_minor
    from generate_series(0, ${DAYS - 1}::integer) as n
    left join daily_sales on daily_sales.day = ${firstDay} + n and is_sale(status) and not test
    group by n order by n`.execute(db)
  return rows
}

type BestSeller = {
  id: string
  name: string
  slug: string | null
  pieces: number
  revenue_minor: number
}

/** Lets the days that are over leave the recent sales of products: once a day there are any. */
export const dropSalesOfOldDays = (db: Database) =>
  sql`select start_recent_product_sales(${firstDay})`.execute(db)

/** What sold most pieces. A product that is gone has the name under which it sold last. */
export async function selectBestSellers(db: Database): Promise<BestSeller[]> {
  const { rows } = await sql<BestSeller>`
    with best as (
      select * from recent_product_sales where pieces > 0
      order by pieces desc, revenue_minor desc, product_id limit ${BEST}
    )
    select best.product_id as id, products.slug, best.pieces, best.revenue_minor,
      coalesce(products.name, (
        select sold.name
        from generate_series(0, ${DAYS - 1}::integer) as ago
        join daily_product_sales as sold on sold.day = ${today} - ago
        where sold.product_id = best.product_id
        order by ago limit 1
      )) as name
    from best left join products on products.id = best.product_id
    order by best.pieces desc, best.revenue_minor desc, best.product_id`.execute(db)
  return rows
}

/** Products with few pieces left, the fewest first. */
export const selectRunningLow = (db: Database) =>
  db
    .selectFrom('running_low')
    .innerJoin('products', 'products.id', 'running_low.product_id')
    .select(['products.id', 'products.name', 'products.slug', 'running_low.quantity'])
    .orderBy('running_low.quantity')
    .orderBy('running_low.product_id')
    .limit(LOWEST)
    .execute()

/** How many payments need attention; what is not captured yet, the provider is still asked about. */
export async function countPaymentsInNeed(db: Database): Promise<number> {
  const { total } = await db
    .selectFrom('payments_needing_attention')
    .where('state', '!=', 'capture_pending')
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}
