/** Lists by a price range that cuts a band in two: it is no filter of the shop's, and counted row by row. */
import { sql } from 'kysely'
import { type ListPage, type Slice, walkToPage } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import type { PriceRange } from '../price-range.ts'

const LARGEST_INTEGER = 2 ** 31 - 1

/** So few are gathered by price, rather than found on a walk along all products. */
const FEW = 5000

type Cut = { categories?: string[] | undefined; prices: PriceRange }

const within = ({ categories, prices: { from, below } }: Cut) => sql`
  price_minor >= ${Math.min(from, LARGEST_INTEGER)}
  ${below <= LARGEST_INTEGER ? sql`and price_minor < ${below}` : sql``}
  ${categories ? sql`and category_id = any(${categories}::uuid[])` : sql``}`

/** The products of a range, category by category, as an index has them. */
const gathered = (cut: Cut) => sql`
  (select distinct category_id from product_counts where products > 0) as counted
  cross join (values (true), (false)) as stocks (stock)
  cross join lateral (
    select id, number from products
    where products.category_id = counted.category_id and in_stock = stock and ${within(cut)}
  ) as found`

/** A page of the products of a price range, newest first. */
export async function selectCutPage(db: Database, cut: Cut, slice: Slice): Promise<ListPage> {
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::integer as total from ${gathered(cut)}`.execute(db)
  const total = counted[0]?.total ?? 0
  const source = total <= FEW ? gathered(cut) : sql`products where ${within(cut)}`
  return walkToPage(slice, total, async (direction, { limit, offset }) => {
    const { rows } = await sql<{ id: string }>`
      select id from ${source} order by number ${sql.raw(direction)}
      limit ${limit} offset ${offset}`.execute(db)
    return rows
  })
}
