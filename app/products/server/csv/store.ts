import { sql } from 'kysely'
import { acquireLock, LOCKS } from '#db/locks.ts'
import type { Database, Row } from '#db/schema.ts'
import { ATTRIBUTE_LINES } from '../attributes/store.ts'
import { DETAIL_COLUMNS } from '../fields.ts'
import { regularPrice } from '../publication/regular.sql.ts'
import { productsAfter } from '../store.ts'

/** The columns of a product that an import may set. */
const FACTS = [
  'name',
  'description',
  'price_minor',
  'quantity',
  'category_id',
  'shipping',
  'status',
  ...DETAIL_COLUMNS,
] as const
export type Fact = (typeof FACTS)[number]
export type Facts = Partial<Pick<Row<'products'>, Fact>>

/** The products after the one of this id, oldest first; the first ones after null. */
export const selectProductsAfter = (db: Database, id: string | null, limit: number) =>
  productsAfter(db, id, limit)
    .innerJoin('categories', 'categories.id', 'products.category_id')
    .leftJoin('tax_classes', 'tax_classes.id', 'products.tax_class_id')
    .select(['products.id', 'products.slug', ...FACTS.map((fact) => `products.${fact}` as const)])
    .select(['categories.name as category', 'tax_classes.name as tax_class'])
    .select(ATTRIBUTE_LINES.as('attributes'))
    .execute()

export type StoredProduct = Pick<Row<'products'>, Fact | 'id' | 'updated_at'> & {
  attributes: string
}

const WITHOUT_PRICE = FACTS.filter((fact) => fact !== 'price_minor')

/** The products that have or had these slugs, by slug. Prices are those without a running sale. */
export async function selectProductsBySlugs(db: Database, slugs: string[]) {
  if (slugs.length === 0) return new Map<string, StoredProduct>()
  const rows = await db
    .selectFrom('product_slugs')
    .innerJoin('products', 'products.id', 'product_slugs.product_id')
    .where('product_slugs.slug', 'in', slugs)
    .select(['product_slugs.slug as requested', 'products.id'])
    // an edit of another variant counts, too
    .select(
      sql<Date>`greatest(products.updated_at, (
        select max(updated_at) from variants where product_id = products.id))`.as('updated_at'),
    )
    .select(WITHOUT_PRICE.map((fact) => `products.${fact}` as const))
    .select(regularPrice('products').as('price_minor'))
    .select(ATTRIBUTE_LINES.as('attributes'))
    .execute()
  return new Map(rows.map(({ requested, ...product }) => [requested, product]))
}

/** The slugs among these that a product has or had. */
export async function selectTakenSlugs(db: Database, slugs: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('product_slugs')
    .where('slug', 'in', slugs)
    .where('product_id', 'is not', null)
    .select('slug')
    .execute()
  return new Set(rows.map(({ slug }) => slug))
}

/** The ids of all categories, by normalized name. */
export async function selectCategoryIds(db: Database): Promise<Map<string, string>> {
  const rows = await db.selectFrom('categories').select(['id', 'name_key']).execute()
  return new Map(rows.map(({ id, name_key }) => [name_key, id]))
}

/** One import writes at a time. */
export const lockImports = (tx: Database) => acquireLock(tx, LOCKS.productImport)

/** Locks categories until the transaction ends, so that they are not renamed or deleted. */
export const lockCategories = (tx: Database, keys: string[]) =>
  sql`
    select id from categories where name_key in (select unnest(${keys}::text[]))
    order by id for key share`.execute(tx)

export type NewProduct = Facts & { id: string; slug: string }

const FACT_LIST = sql.join(FACTS.map((fact) => sql.ref(fact)))
const NEW_FACTS = sql.join(FACTS.map((fact) => sql.ref(`given.${fact}`)))

/** Inserts new products, in their order. */
export const insertProducts = (tx: Database, products: NewProduct[]) =>
  sql`
    insert into products (id, slug, ${FACT_LIST})
    select given.id, given.slug, ${NEW_FACTS}
    from jsonb_populate_recordset(null::products, ${JSON.stringify(products)}::jsonb) as given
    order by given.id`.execute(tx)

/** Sets what is given of products; `updated_at` increases as with every edit. */
export const updateProducts = (tx: Database, products: (Facts & { id: string })[]) =>
  sql`
    update products set (${FACT_LIST}) = (${NEW_FACTS}),
      updated_at = greatest(clock_timestamp(), products.updated_at + interval '1 millisecond')
    from jsonb_array_elements(${JSON.stringify(products)}::jsonb) as facts
      join products as stored on stored.id = (facts ->> 'id')::uuid
      cross join lateral jsonb_populate_record(stored, facts) as given
    where products.id = stored.id`.execute(tx)
