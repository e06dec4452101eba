/** Lists of products: pages and counts. */

import { type RawBuilder, sql } from 'kysely'
import type { PriceBands } from '#app/settings/server/service.ts'
import { toMinor } from '#app/shared/model/minor-units.ts'
import type { Slice } from '#app/shared/server/pagination.ts'
import { countRows } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'
import type { ListOrder } from '../model.ts'
import { type CountedFacet, countsOf, type FacetGroups, isInGroups } from './facets/store.ts'
import type { ListFilter } from './list-filter.ts'
import { PUBLISHED } from './publication/published.sql.ts'

/** Prices are stored as 32-bit integers. */
const MAX_PRICE = 2 ** 31 - 1

/** The index of a product's price band. */
export const priceBand = ({ lows, currency }: PriceBands) =>
  sql<number>`width_bucket(list_price_minor, ${lows.map((low) => toMinor(low, currency))}::integer[]) - 1`

/** The columns of each sort order. */
export const LIST_ORDER_COLUMNS: Record<ListOrder, RawBuilder<unknown>> = {
  newest: sql`id desc`,
  'price-up': sql`list_price_minor, id`,
  'price-down': sql`list_price_minor desc, id desc`,
}

/** The conditions of a filter on published products, for a `where` clause. */
export function conditionsOf({
  categories,
  prices,
  inStock,
  facets = [],
}: ListFilter): RawBuilder<boolean> {
  const conditions = [PUBLISHED]
  if (categories) conditions.push(sql`category_id = any(${categories}::uuid[])`)
  if (prices) conditions.push(sql`list_price_minor >= ${Math.min(prices.from, MAX_PRICE)}::integer`)
  if (prices && prices.below !== null && prices.below <= MAX_PRICE)
    conditions.push(sql`list_price_minor < ${prices.below}::integer`)
  // a chosen facet means a variant that is in stock
  if (inStock && facets.length === 0) conditions.push(sql`in_stock`)
  if (facets.length > 0) conditions.push(isInGroups(facets))
  return sql`${sql.join(conditions, sql` and `)}`
}

/**
 * The ids of a page. Each of several categories is read in order and the results are merged:
 * otherwise the planner may scan all products for categories that had nothing new lately.
 */
function pageOf(
  { categories, ...rest }: ListFilter,
  order: ListOrder,
  { limit, offset }: Slice,
): RawBuilder<{ id: string }> {
  const inOrder = LIST_ORDER_COLUMNS[order]
  if (!categories)
    return sql`
      select id from products where ${conditionsOf(rest)}
      order by ${inOrder} limit ${limit} offset ${offset}`
  return sql`
    select id from unnest(${[...new Set(categories)]}::uuid[]) as chosen (category)
    cross join lateral (
      select id, list_price_minor from products where category_id = category and ${conditionsOf(rest)}
      order by ${inOrder} limit ${offset + limit}
    ) as found
    order by ${inOrder} limit ${limit} offset ${offset}`
}

/** The ids of a page of a list. Only the rows of the page are read; skipped ones come from an index. */
export async function selectListPage(
  db: Database,
  filter: ListFilter,
  order: ListOrder,
  slice: Slice,
): Promise<string[]> {
  const { rows } = await pageOf(filter, order, slice).execute(db)
  return rows.map(({ id }) => id)
}

/** The number of products in a list. */
export const countProducts = (db: Database, filter: ListFilter): Promise<number> =>
  countRows(db.selectFrom('products').where(conditionsOf(filter)))

/** The number of products in a list that are sold out: they are few, and have an index of their own. */
export const countSoldOut = (db: Database, filter: ListFilter): Promise<number> =>
  countRows(db.selectFrom('products').where(conditionsOf(filter)).where(sql<boolean>`not in_stock`))

/** The number of a category's products in a price band, and of those among them that the chosen prices have. */
export type BandCount = { band: number; products: number; chosen: number }

type Bands = PriceBands & {
  category: string
  prices?: ListFilter['prices']
  facets?: ListFilter['facets']
}

/** The counts of a category's price bands, of all products or of those sold out; empty bands are missing. */
export async function selectBandCounts(
  db: Database,
  { category, prices, facets, ...bands }: Bands,
  among: 'all' | 'sold out',
): Promise<BandCount[]> {
  const { rows } = await sql<BandCount>`
    select ${priceBand(bands)} as band, count(*)::integer as products,
      (count(*) filter (where ${conditionsOf({ prices })}))::integer as chosen
    from products
    where category_id = ${category} and ${conditionsOf({ facets })} and ${among === 'all' ? sql`true` : sql`not in_stock`}
    group by 1 order by 1`.execute(db)
  return rows
}

/** The products of a category whose facets are counted: its newest ones. */
const MAX_COUNTED = 5000

/** The facets of a list without the chosen ones, each counted, and whether it has more products than were counted. */
export async function selectFacetCounts(
  db: Database,
  filter: ListFilter,
  groups: FacetGroups = [],
): Promise<{ options: CountedFacet[]; areCut: boolean }> {
  const { rows } = await sql<{ options: CountedFacet[]; areCut: boolean }>`
    with listed as materialized (
      select id from products where ${conditionsOf({ ...filter, facets: [] })}
      order by id desc limit ${sql.lit(MAX_COUNTED + 1)})
    select ${countsOf(sql`select id from listed`, groups)} as options,
      (select count(*) > ${sql.lit(MAX_COUNTED)} from listed) as "areCut"`.execute(db)
  return rows[0] ?? { options: [], areCut: false }
}
