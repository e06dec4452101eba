/** The back office's list of products: its filter, its orders, and its pages. */
import { type RawBuilder, sql } from 'kysely'
import type { ProductFilter, ProductSort } from '#app/products/catalogue-contract.ts'
import { MAX_RESULTS } from '#app/shared/contract/fields.ts'
import type { Slice } from '#app/shared/server/pagination.ts'
import { containing, inOrderOf } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'
import { productsWithCode } from '../codes.sql.ts'
import { levelOf, RUNNING_LOW, SOLD_OUT } from '../stock-levels.sql.ts'
import { LISTED, listed } from '../store.ts'

const LEVELS = {
  in: sql<boolean>`id not in ${SOLD_OUT}`,
  low: sql<boolean>`id in ${RUNNING_LOW}`,
  out: sql<boolean>`id in ${SOLD_OUT}`,
}

/** The condition of category, stock and status. */
function matching({ category, stock, status }: ProductFilter): RawBuilder<boolean> {
  const conditions = [
    ...(category ? [sql`category_id = ${category}`] : []),
    ...(stock ? [LEVELS[stock]] : []),
    ...(status ? [sql`products.status = ${status}::product_status`] : []),
  ]
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`
}

const textOf = ({ q }: ProductFilter) => q?.trim() ?? ''

/** The products that match, from which their ids can be selected. A search finds the newest thousand. */
function matches(filter: ProductFilter): RawBuilder<unknown> {
  const text = textOf(filter)
  if (text === '') return sql`products where ${matching(filter)}`
  return sql`
    (select * from products where id in (
        (select id from products where name_folded like ${containing(text)}
          order by id desc limit ${MAX_RESULTS}::integer)
        union all ${productsWithCode(text)})
      order by id desc limit ${MAX_RESULTS}::integer) as products
    where ${matching(filter)}`
}

/** The columns of each order; the id decides between equal ones. */
const orderOf = (sort: ProductSort): RawBuilder<unknown> => {
  const direction = sort.startsWith('-') ? sql`desc` : sql`asc`
  const columns = {
    created: sql``,
    name: sql`name_folded ${direction},`,
    price: sql`list_price_minor ${direction},`,
    quantity: sql`stock ${direction},`,
    category: sql`name_key ${direction},`,
  }
  return sql`${columns[sort.replace('-', '') as keyof typeof columns]} id ${direction}`
}

/** The stock of all variants of products, where they are sorted by it: of few products each, of others all at once. */
const stockOf = (sort: ProductSort, few: boolean): RawBuilder<unknown> => {
  if (!sort.endsWith('quantity')) return sql``
  return few
    ? sql`cross join lateral (select sum(quantity) as stock from variants where product_id = products.id) as stocked`
    : sql`join (select product_id, sum(quantity) as stock from variants group by product_id) as stocked
        on product_id = products.id`
}

type Ids = RawBuilder<{ id: string; matches: number | null }>

/** A page of few products: all are read once, and sorted and counted. */
const pageOfFew = (filter: ProductFilter, sort: ProductSort, { limit, offset }: Slice): Ids => sql`
  select products.id, (count(*) over ())::integer as matches
  from (
    select id, name_folded, list_price_minor, category_id from ${matches(filter)} offset 0
  ) as products
  ${stockOf(sort, true)}
  join (select id as category, name_key from categories) as named on category = category_id
  order by ${orderOf(sort)} limit ${limit} offset ${offset}`

/** A page in the order of categories: no more of them, and no more products of each, are read than it needs. */
const pageByCategory = (
  filter: ProductFilter,
  sort: ProductSort,
  { limit, offset }: Slice,
): Ids => {
  const direction = sort.startsWith('-') ? sql`desc` : sql`asc`
  return sql`
    select id, null::integer as matches
    from (select id as category, name_key from categories order by name_key ${direction} offset 0) as sorted
    cross join lateral (
      select id from products where category_id = category and ${matching(filter)}
      order by id ${direction} limit ${offset + limit}
    ) as found
    order by ${orderOf(sort)} limit ${limit} offset ${offset}`
}

/**
 * The ids of a page, and where it was read with them, how many products match. No index has the quantity, because
 * a sale would have to change it.
 */
function pageOf(filter: ProductFilter, sort: ProductSort, slice: Slice): Ids {
  if (textOf(filter) !== '' || filter.stock === 'low') return pageOfFew(filter, sort, slice)
  if (sort.endsWith('category')) return pageByCategory(filter, sort, slice)
  return sql`
    select id, null::integer as matches from products ${stockOf(sort, false)} where ${matching(filter)}
    order by ${orderOf(sort)} limit ${slice.limit} offset ${slice.offset}`
}

/** A figure of all variants of a product. */
const ofVariants = <Figure>(figure: RawBuilder<Figure>) =>
  sql<Figure>`(select ${figure} from variants where product_id = products.id)`

/** The products of a page, and how many match if that was read with them. */
export async function selectCatalogue(
  db: Database,
  filter: ProductFilter,
  sort: ProductSort,
  slice: Slice,
) {
  const { rows: found } = await pageOf(filter, sort, slice).execute(db)
  if (found.length === 0) return { products: [], matches: null }
  const ids = found.map(({ id }) => id)
  const products = await listed(db)
    .innerJoin('categories', 'categories.id', 'products.category_id')
    .where('products.id', 'in', ids)
    .select([...LISTED, 'categories.name as category_name', 'categories.slug as category_slug'])
    .select('products.status')
    .select([
      ofVariants(levelOf(sql`min(quantity)`)).as('stock'),
      levelOf(sql`listed.quantity`).as('stock_of_listed'),
      ofVariants(sql<number>`sum(quantity)::integer`).as('quantity_of_all'),
      ofVariants(sql<number>`max(price_of(variants))`).as('highest_price_minor'),
      'has_options',
      'listed.price_minor as regular_price_minor',
    ])
    .execute()
  return { products: inOrderOf(ids, products), matches: found[0]?.matches ?? null }
}

/** The number of products that match. */
export async function countMatching(db: Database, filter: ProductFilter): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from ${matches(filter)}`.execute(db)
  return rows[0]?.total ?? 0
}

/** The ids that match, at most so many, in their order. */
export async function selectMatchingIds(
  db: Database,
  filter: ProductFilter,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${matches(filter)} order by id limit ${limit}::integer`.execute(db)
  return rows.map(({ id }) => id)
}
