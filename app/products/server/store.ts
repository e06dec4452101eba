import { type Insertable, sql, type Updateable } from 'kysely'
import { MAX_RESULTS } from '#app/shared/contract/fields.ts'
import type { AuditedRows } from '#app/shared/server/domain-module.ts'
import { type ListPage, type Slice, slicePage } from '#app/shared/server/pagination.ts'
import { SHOP_CURRENCY } from '#app/shared/server/settings/currency-store.ts'
import {
  auditedColumn,
  changesRow,
  containing,
  countChanged,
  hasRow,
  inOrderOf,
  LATER,
} from '#app/shared/server/store.ts'
import type { Database, Row, Schema } from '#db/schema.ts'
import type { ListedProduct } from '../contract.ts'
import { SHOWN_ATTRIBUTES } from './attributes/store.ts'
import type { DetailColumns } from './fields.ts'
import { PHOTO_VERSION, PHOTOS, SECOND_PHOTO, VARIANT_PHOTOS } from './photos/store.ts'
import { PUBLISHED } from './publication/published.sql.ts'
import { optionsOf, priceBefore, priceOf } from './variants/price.sql.ts'
import { productOfRemoved, valuesOfRemoved } from './variants/removed.sql.ts'
import { CHOICES, CHOOSABLE, type Choices } from './variants/shown-store.ts'

/** The texts in whose words a search finds products, and corrects what was typed. */
export const SEARCHED_TEXTS = ['name', 'description'] as const

const LISTED_COLUMNS = [
  'id',
  ...SEARCHED_TEXTS,
  'slug',
  'category_id',
  'shipping',
  'created_at',
  'updated_at',
] as const

const ofProducts = <Column extends string>(columns: readonly Column[]) =>
  columns.map((column) => `products.${column}` as const)

/** Products with their listed variants. */
export const listed = (db: Database) =>
  db
    .selectFrom('products')
    .innerJoin('variants as listed', 'listed.id', 'products.listed_variant_id')

/** The columns of a product in a list, in a statement on `listed`. */
export const LISTED = [
  ...ofProducts(LISTED_COLUMNS),
  priceOf('listed').as('price_minor'),
  priceBefore('listed').as('before_minor'),
  'listed.quantity',
  PHOTO_VERSION.as('photo_version'),
  SHOP_CURRENCY.as('currency'),
] as const
const DETAILED = ['listed.weight_grams', 'products.tax_class_id'] as const

export type ListedRow = Pick<Row<'products'>, (typeof LISTED_COLUMNS)[number]> & {
  /** Price, price before a reduction and stock of the listed variant. */
  price_minor: number
  before_minor: number | null
  quantity: number
  /** Of the first photo; null without one. */
  photo_version: string | null
  /** Of its price. */
  currency: string
}
/** A product in a list of the shop, which shows its second photo and what there is to choose, too. */
export type ShownRow = ListedRow & {
  second_photo?: ListedProduct['secondPhoto'] | null
  choices?: Choices | null
}
const SHOWN = [...LISTED, SECOND_PHOTO.as('second_photo'), CHOICES.as('choices')] as const
export type ProductRow = ShownRow & { category_name: string; category_slug: string }
export type DetailedRow = ProductRow & DetailColumns

/**
 * A page of the newest products whose names contain the text, case-insensitively. No character of
 * the text is syntax.
 */
export async function selectIdsByName(db: Database, text: string, slice: Slice): Promise<ListPage> {
  const found = db
    .selectFrom('products')
    .select('id')
    .where('name_folded', 'like', containing(text))
    .where(PUBLISHED)
    .orderBy('id', 'desc')
    .limit(MAX_RESULTS)
  return slicePage(await found.execute(), slice)
}

/** Products in the order of their ids. */
export async function selectProducts(db: Database, ids: string[]): Promise<ShownRow[]> {
  if (ids.length === 0) return []
  const rows = listed(db).select(SHOWN).where('products.id', 'in', ids)
  return inOrderOf(ids, await rows.execute())
}

const withCategory = (db: Database) =>
  listed(db)
    .innerJoin('categories', 'categories.id', 'products.category_id')
    .select([...SHOWN, 'categories.name as category_name', 'categories.slug as category_slug'])

/** Products after the one of this id, oldest first; the first ones after null. */
export const productsAfter = (db: Database, id: string | null, limit: number) =>
  db
    .selectFrom('products')
    .$if(id !== null, (rest) => rest.where('products.id', '>', id))
    .orderBy('products.id')
    .limit(limit)

/** As `productsAfter`, without products that are not in the shop. */
export const publishedAfter = (db: Database, id: string | null, limit: number) =>
  productsAfter(db, id, limit).where(PUBLISHED)

/** Products with their categories, in the order of their ids. */
export async function selectProductsWithCategory(db: Database, ids: string[]) {
  if (ids.length === 0) return []
  return inOrderOf(ids, await withCategory(db).where('products.id', 'in', ids).execute())
}

/** Products with their categories and details. */
export const withDetails = (db: Database) => withCategory(db).select(DETAILED)

/** As the page of a product has it, also of one that is not in the shop. */
export const withPage = (db: Database) =>
  withDetails(db)
    .select(CHOOSABLE)
    .select([PHOTOS.as('photos'), VARIANT_PHOTOS.as('variant_photos')])
    .select(SHOWN_ATTRIBUTES.as('attributes'))

/** By the current slug or a former one. */
export const selectProductBySlug = (db: Database, slug: string) =>
  withPage(db)
    .where(PUBLISHED)
    .innerJoin('product_slugs', 'product_slugs.product_id', 'products.id')
    .where('product_slugs.slug', '=', slug)
    .executeTakeFirst()

/** Whether only deleted products had the slug. */
export const isSlugOfDeleted = (db: Database, slug: string): Promise<boolean> =>
  hasRow(db.selectFrom('product_slugs').where('slug', '=', slug).where('product_id', 'is', null))

/** The product of an id: its own, or that of one of its variants or photos; null when there is none. */
export const productOf = (id: string) =>
  sql<string | null>`coalesce((select id from products where id = ${id}),
    (select product_id from variants where id = ${id}),
    (select product_id from product_photos where id = ${id}))`

/** A photo as its id, or that of a variant, names it; null otherwise. */
export const photoOf = (id: string) =>
  sql<string | null>`coalesce((select photo_id from variants where id = ${id}),
    (select id from product_photos where id = ${id}))`

/** Other products of the category; none when there is no such product. */
export const selectRelatedProducts = (
  db: Database,
  { productId, categoryId, limit }: { productId: string; categoryId: string; limit: number },
): Promise<ProductRow[]> =>
  withCategory(db)
    .where(PUBLISHED)
    .where('category_id', '=', categoryId)
    .where('products.id', '!=', productOf(productId))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('products').select('id').where('id', '=', productOf(productId)).where(PUBLISHED),
      ),
    )
    .orderBy('products.id', 'desc')
    .limit(limit)
    .execute()

/** The category by its current slug or a former one. */
export const selectCategoryBySlug = (db: Database, slug: string) =>
  db
    .selectFrom('category_slugs')
    .innerJoin('categories', 'categories.id', 'category_slugs.category_id')
    .select(['categories.id as _id', 'categories.name', 'categories.slug'])
    .where('category_slugs.slug', '=', slug)
    .executeTakeFirst()

/** The foreign key of the category. */
export const NO_CATEGORY = 'products_category_id_fkey'

/** The foreign key of the tax class. */
export const NO_TAX_CLASS = 'products_tax_class_id_fkey'

export const selectEdition = (db: Database, id: string) =>
  db.selectFrom('products').select('updated_at').where('id', '=', id).executeTakeFirst()

/** A product that `lockProducts` has locked, with the price and the stock of its listed variant. */
export const selectLocked = (tx: Database, id: string) =>
  listed(tx)
    .select(['products.id', 'products.name', 'products.slug', 'products.updated_at'])
    .select(['products.status', 'products.publish_at', 'products.unpublish_at'])
    .select(['listed.quantity', 'listed.price_minor', priceOf('listed').as('price_now_minor')])
    .where('products.id', '=', id)
    .executeTakeFirst()

/**
 * Reserves slugs for products permanently, as far as no other product has them: that of a deleted one is free.
 * Returns how many.
 */
export const claimSlugs = (tx: Database, products: { id: string; slug: string }[]) =>
  countChanged(
    tx
      .insertInto('product_slugs')
      .values(products.map(({ id, slug }) => ({ slug, product_id: id })))
      .onConflict((taken) =>
        taken
          .column('slug')
          .doUpdateSet({ product_id: sql`excluded.product_id` })
          .where(sql<boolean>`product_slugs.product_id is null
            or product_slugs.product_id = excluded.product_id`),
      ),
  )

export const insertProduct = (tx: Database, product: Insertable<Schema['products']>) =>
  tx.insertInto('products').values(product).execute()

/** The first variant of a product. */
export const insertVariant = (tx: Database, variant: Insertable<Schema['variants']>) =>
  tx.insertInto('variants').values(variant).execute()

/** Price, stock and weight of a variant. */
export type Offer = {
  price_minor?: number | undefined
  quantity?: number | undefined
  weight_grams?: number | null | undefined
}

/** Updates the given columns of the listed variant of a product. */
export const updateListed = (tx: Database, productId: string, offer: Offer) =>
  tx
    .updateTable('variants')
    .set({ ...offer, updated_at: LATER })
    .where(
      'id',
      '=',
      sql<string>`(select listed_variant_id from products where id = ${productId}::uuid)`,
    )
    .execute()

type Changes = Omit<Updateable<Schema['products']>, 'id' | 'created_at' | 'updated_at'>

/**
 * Updates the given columns; `updated_at` always increases, however fast edits follow each other.
 */
export const updateProduct = (tx: Database, id: string, changes: Changes) =>
  tx
    .updateTable('products')
    .set({
      ...changes,
      updated_at: LATER,
    })
    .where('id', '=', id)
    .execute()

/** False when there was no such product. */
export const deleteProduct = (db: Database, id: string): Promise<boolean> =>
  changesRow(db.deleteFrom('products').where('id', '=', id))

/** The product of an entry about one of its variants, which may be deleted. */
const PRODUCT_OF_ENTRY = sql`coalesce(
  (select product_id from variants where id = audit_log.row_id),
  ${productOfRemoved(sql`audit_log.row_id`)},
  (coalesce(audit_log.before, audit_log.after) ->> 'product_id')::uuid)`

/** The last name of the product of an entry about one of its variants, when it is deleted. */
const LAST_NAME = sql`(
  select removal.before ->> 'name' from audit_log as removal
  where removal.row_id = ${PRODUCT_OF_ENTRY} and removal.table_name = 'products' and removal.action = 'delete')`

/** The names of products in the history. */
export const AUDITED_PRODUCTS: AuditedRows = {
  products: { name: auditedColumn('products'), slug: auditedColumn('products', 'slug') },
  product_photos: { name: auditedColumn('products'), slug: auditedColumn('products', 'slug') },
  product_options: { name: auditedColumn('products'), slug: auditedColumn('products', 'slug') },
  option_values: { name: auditedColumn('option_values') },
  attributes: { name: auditedColumn('attributes') },
  attribute_choices: { name: auditedColumn('attribute_choices') },
  product_attributes: { name: auditedColumn('products'), slug: auditedColumn('products', 'slug') },
  variants: {
    name: sql<string | null>`coalesce(
      (select name || coalesce(' – ' || coalesce((
        select string_agg(option ->> 'value', ' / ')
        from variants, jsonb_array_elements(${optionsOf()}) as option
        where variants.id = audit_log.row_id), ${valuesOfRemoved(sql`audit_log.row_id`)}), '')
      from products where id = ${PRODUCT_OF_ENTRY}), ${LAST_NAME})`,
    slug: sql<string | null>`(select slug from products where id = ${PRODUCT_OF_ENTRY})`,
  },
}
