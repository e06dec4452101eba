import { type ExpressionBuilder, sql } from 'kysely'
import { MOST_FOUND } from '#app/shared/contract/fields.ts'
import { cutPage, type ListPage, type Slice, walkToPage } from '#app/shared/server/pagination.ts'
import type { Database, Row, Schema } from '#db/schema.ts'
import type { PriceRange } from './price-range.ts'

export type ListedRow = Omit<Row<'products'>, 'number' | 'name_folded' | 'search'>
export type ProductRow = ListedRow & { category_name: string; category_slug: string }

/** What narrows a list; nothing given means every product. */
export type Filter = {
  categories?: string[]
  prices?: PriceRange
  /** Part of the name, any case; every character stands for itself. */
  nameHas?: string
}

export const LISTED = [
  'products.id',
  'products.name',
  'products.slug',
  'products.description',
  'products.price_minor',
  'products.quantity',
  'products.category_id',
  'products.shipping',
  'products.photo_version',
  'products.created_at',
  'products.updated_at',
] as const

const LARGEST_INTEGER = 2 ** 31 - 1

type Condition = ExpressionBuilder<Schema, 'products'>

/** What LIKE would take for its syntax is escaped after folding, which can bring it forth. */
const containing = (text: string) =>
  sql<string>`concat('%', regexp_replace(folded(${text}), '([\\\\%_])', '\\\\\\1', 'g'), '%')`

const among =
  ({ categories, prices, nameHas }: Filter) =>
  (eb: Condition) => {
    const { from = 0, below = Number.POSITIVE_INFINITY } = prices ?? {}
    return eb.and([
      ...(categories ? [eb('category_id', 'in', categories)] : []),
      ...(from > 0 ? [eb('price_minor', '>=', Math.min(from, LARGEST_INTEGER))] : []),
      ...(below <= LARGEST_INTEGER ? [eb('price_minor', '<', below)] : []),
      ...(nameHas ? [eb('name_folded', 'like', containing(nameHas))] : []),
    ])
  }

/** From the counts that the database keeps by category and price band. */
async function sumOfCounts(db: Database, { categories, prices }: Filter): Promise<number> {
  const { total } = await db
    .selectFrom('product_counts')
    .select(sql<number>`coalesce(sum(products), 0)::integer`.as('total'))
    .$if(categories !== undefined, (counts) => counts.where('category_id', 'in', categories ?? []))
    .$if(prices !== undefined, (counts) => counts.where('price_band', 'in', prices?.bands ?? []))
    .executeTakeFirstOrThrow()
  return total
}

/** How many products a list has; rows are counted only for prices that cut a band in two. */
export async function countProducts(db: Database, filter: Filter = {}): Promise<number> {
  if (filter.prices?.bands !== null) return sumOfCounts(db, filter)
  const { total } = await db
    .selectFrom('products')
    .select(sql<number>`count(*)::integer`.as('total'))
    .where(among(filter))
    .executeTakeFirstOrThrow()
  return total
}

/** Ids are UUIDv7, so their order is the order of creation. */
const idsInOrder = (db: Database, filter: Filter, direction: 'asc' | 'desc') =>
  db.selectFrom('products').select('id').where(among(filter)).orderBy('id', direction)

/**
 * A page of the ids of a list; of names, of the newest that have the text. The rows themselves,
 * which are wide, are fetched only for those that the page shows.
 */
export async function selectProductIds(
  db: Database,
  filter: Filter,
  slice: Slice,
): Promise<ListPage> {
  if (filter.nameHas) {
    const found = idsInOrder(db, filter, 'desc').limit(MOST_FOUND)
    return cutPage(await found.execute(), slice)
  }
  return walkToPage(slice, await countProducts(db, filter), (direction, { limit, offset }) =>
    idsInOrder(db, filter, direction).limit(limit).offset(offset).execute(),
  )
}

/** Products, newest first. */
export async function selectProducts(db: Database, ids: string[]): Promise<ListedRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('products')
    .select(LISTED)
    .where('id', 'in', ids)
    .orderBy('id', 'desc')
    .execute()
}

const withCategory = (db: Database) =>
  db
    .selectFrom('products')
    .innerJoin('categories', 'categories.id', 'products.category_id')
    .select([...LISTED, 'categories.name as category_name', 'categories.slug as category_slug'])

/** Products with their categories, newest first. */
export async function selectProductsWithCategory(
  db: Database,
  ids: string[],
): Promise<ProductRow[]> {
  if (ids.length === 0) return []
  return withCategory(db).where('products.id', 'in', ids).orderBy('products.id', 'desc').execute()
}

/** By any address that it ever had. */
export const selectProductBySlug = (db: Database, slug: string): Promise<ProductRow | undefined> =>
  withCategory(db)
    .innerJoin('product_slugs', 'product_slugs.product_id', 'products.id')
    .where('product_slugs.slug', '=', slug)
    .executeTakeFirst()

/** Others of the category; none when there is no such product. */
export const selectRelatedProducts = (
  db: Database,
  { productId, categoryId, limit }: { productId: string; categoryId: string; limit: number },
): Promise<ProductRow[]> =>
  withCategory(db)
    .where('category_id', '=', categoryId)
    .where('products.id', '!=', productId)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('products as viewed').select('id').where('viewed.id', '=', productId)),
    )
    .orderBy('products.id', 'desc')
    .limit(limit)
    .execute()

/** The category by any address that it ever had. */
export const selectCategoryBySlug = (db: Database, slug: string) =>
  db
    .selectFrom('category_slugs')
    .innerJoin('categories', 'categories.id', 'category_slugs.category_id')
    .select(['categories.id', 'categories.name', 'categories.slug'])
    .where('category_slugs.slug', '=', slug)
    .executeTakeFirst()
