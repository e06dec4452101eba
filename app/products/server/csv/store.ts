import { sql } from 'kysely'
import { listOf } from '#app/shared/server/store.ts'
import { acquireLock, LOCKS } from '#db/locks.ts'
import type { Database, Row } from '#db/schema.ts'
import { ATTRIBUTE_LINES } from '../attributes/store.ts'
import { listed, productsAfter } from '../store.ts'

/** The columns of a product that an import may set. */
const PRODUCT_FACTS = [
  'name',
  'description',
  'category_id',
  'shipping',
  'status',
  'tax_class_id',
] as const
/** The columns of its listed variant. */
const VARIANT_FACTS = ['price_minor', 'quantity', 'weight_grams'] as const
export type Fact = (typeof PRODUCT_FACTS)[number] | (typeof VARIANT_FACTS)[number]
export type Facts = Partial<
  Pick<Row<'products'>, (typeof PRODUCT_FACTS)[number]> &
    Pick<Row<'variants'>, (typeof VARIANT_FACTS)[number]>
>

/** The products after the one of this id, oldest first; the first ones after null. */
export const selectProductsAfter = (db: Database, id: string | null, limit: number) =>
  productsAfter(db, id, limit)
    .innerJoin('categories', 'categories.id', 'products.category_id')
    .leftJoin('tax_classes', 'tax_classes.id', 'products.tax_class_id')
    .select(['products.id', 'products.slug'])
    .select(PRODUCT_FACTS.map((fact) => `products.${fact}` as const))
    .select(['categories.name as category', 'tax_classes.name as tax_class'])
    .select(ATTRIBUTE_LINES.as('attributes'))
    .execute()

export type StoredProduct = Required<Facts> &
  Pick<Row<'products'>, 'id' | 'updated_at' | 'listed_variant_id'> & { attributes: string }

/** The products that have or had these slugs, by slug, with the facts of their listed variants. */
export async function selectProductsBySlugs(db: Database, slugs: string[]) {
  if (slugs.length === 0) return new Map<string, StoredProduct>()
  const rows = await listed(db)
    .innerJoin('product_slugs', 'product_slugs.product_id', 'products.id')
    .where('product_slugs.slug', 'in', slugs)
    .select(['product_slugs.slug as requested', 'products.id', 'products.updated_at'])
    .select('products.listed_variant_id')
    .select(PRODUCT_FACTS.map((fact) => `products.${fact}` as const))
    .select(VARIANT_FACTS.map((fact) => `listed.${fact}` as const))
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

export type NewProduct = Facts & { id: string; slug: string; listed_variant_id: string }

/** Inserts new products with their variants, in their order. */
export const insertProducts = (tx: Database, products: NewProduct[]) =>
  sql`
    with facts as materialized (select ${JSON.stringify(products)}::jsonb as facts),
    made as (
      insert into products (id, slug, listed_variant_id, ${listOf(PRODUCT_FACTS)})
      select id, slug, listed_variant_id, ${listOf(PRODUCT_FACTS)}
      from facts, jsonb_populate_recordset(null::products, facts) order by id
    )
    insert into variants (id, product_id, ${listOf(VARIANT_FACTS)})
    select product.listed_variant_id, product.id, ${listOf(VARIANT_FACTS, 'given')}
    from facts, jsonb_array_elements(facts) as one,
      jsonb_to_record(one) as product (id uuid, listed_variant_id uuid),
      jsonb_populate_record(null::variants, one) as given
    order by product.id`.execute(tx)

export type ChangedProduct = Facts & { id: string; listed_variant_id: string }

/** Sets what is given of products and of their listed variants. */
export const updateProducts = (tx: Database, products: ChangedProduct[]) =>
  sql`
    with facts as materialized (
      select one, (one ->> 'id')::uuid as product, (one ->> 'listed_variant_id')::uuid as variant
      from jsonb_array_elements(${JSON.stringify(products)}::jsonb) as one
    ),
    changed as (
      update variants set (${listOf(VARIANT_FACTS)}) = row(${listOf(VARIANT_FACTS, 'given')}),
        updated_at = greatest(clock_timestamp(), variants.updated_at + interval '1 millisecond')
      from facts join variants as stored on stored.id = variant
        cross join lateral jsonb_populate_record(stored, one) as given
      where variants.id = stored.id
        and (${listOf(VARIANT_FACTS, 'stored')}) is distinct from (${listOf(VARIANT_FACTS, 'given')})
    )
    update products set (${listOf(PRODUCT_FACTS)}) = row(${listOf(PRODUCT_FACTS, 'given')})
    from facts join products as stored on stored.id = product
      cross join lateral jsonb_populate_record(stored, one) as given
    where products.id = stored.id`.execute(tx)
