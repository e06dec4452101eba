/**
 * Reads of products for other domains. Those of the whole catalogue, for sitemaps and feeds, go by the id of
 * the last row (keyset pagination), so that each costs the same however large the catalogue is.
 */
import { sql } from 'kysely'
import { nearestVariant } from '#app/shared/server/pictures/store.ts'
import { countRows, hasRow } from '#app/shared/server/store.ts'
import type { Database, PhotoFormat } from '#db/schema.ts'
import { type DetailedRow, productOf, productsAfter, withDetails } from './store.ts'

export type CatalogueRow = DetailedRow

export const selectCatalogueProduct = (db: Database, id: string) =>
  withDetails(db).where('products.id', '=', id).executeTakeFirst()

/** The newest products, newest first. */
export const selectNewest = (db: Database, limit: number): Promise<CatalogueRow[]> =>
  withDetails(db).orderBy('products.id', 'desc').limit(limit).execute()

/** The products after the one of this id, oldest first; the first ones after null. */
export const selectCatalogueAfter = (db: Database, after: string | null, limit: number) =>
  withDetails(db)
    .$if(after !== null, (rest) => rest.where('products.id', '>', after))
    .orderBy('products.id')
    .limit(limit)
    .execute()

/** The pages of the products after the one of this id, oldest first; the first ones after null. */
export const selectPages = (db: Database, after: string | null, limit: number) =>
  productsAfter(db, after, limit).select(['slug', 'updated_at']).execute()

/**
 * The part of the catalogue after the product of this id: its last product, how many it has, and when one was
 * edited last. Undefined when there is no product after it.
 */
export function selectPartAfter(db: Database, after: string | null, limit: number) {
  const part = productsAfter(db, after, limit).select(['id', 'updated_at']).as('part')
  return db
    .selectFrom(part)
    .select([
      sql<string>`(array_agg(id order by id desc))[1]`.as('last'),
      sql<number>`count(*)::integer`.as('count'),
      sql<Date>`max(updated_at)`.as('editedAt'),
    ])
    .having(sql<boolean>`count(*) > 0`)
    .executeTakeFirst()
}

/**
 * Whether there is this product, and the number of products up to it is a multiple of the limit. False
 * for an id in capitals.
 */
export async function selectIsLastOfPart(db: Database, id: string, limit: number) {
  const upTo = db
    .selectFrom('products')
    .where('id', '<=', id)
    .select(sql<boolean>`count(*) % ${limit} = 0`.as('isLast'))
  const found = await db
    .selectFrom('products')
    .where('id', '=', id)
    .select(['id', upTo.as('isLast')])
    .executeTakeFirst()
  return found?.id === id && found.isLast === true
}

/** The slug of each category, by name, and when its newest product came; null without products. */
export const selectCategoryDates = (db: Database) =>
  db
    .selectFrom('categories')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('products')
          .select('created_at')
          .whereRef('category_id', '=', 'categories.id')
          .orderBy('id', 'desc')
          .limit(1)
          .as('newest'),
      (join) => join.onTrue(),
    )
    .select(['categories.slug', 'newest.created_at as changedAt'])
    .orderBy('name_key')
    .execute()

/** The number of products that have to be shipped and have no weight. */
export const countWithoutWeight = (db: Database): Promise<number> =>
  countRows(
    db.selectFrom('products').where('shipping', '=', true).where('weight_grams', 'is', null),
  )

export const hasProducts = (db: Database): Promise<boolean> => hasRow(db.selectFrom('products'))

/**
 * The version of the photo of a product, also by the id of one of its variants, and the photo in this format with the nearest width. One query, so
 * that bytes never travel under another version. Undefined when there is no such product; `bytes` is null
 * when it has no photo.
 */
export const selectPhoto = (
  db: Database,
  { id, ...wanted }: { id: string; width: number; format: PhotoFormat },
) =>
  db
    .selectFrom('products')
    .leftJoinLateral(
      nearestVariant(db, wanted)
        .where('product_id', '=', sql.ref<string>('products.id'))
        .as('photo'),
      (join) => join.onTrue(),
    )
    .where('products.id', '=', productOf(id))
    .select(['products.id', 'products.photo_version as version', 'photo.bytes'])
    .executeTakeFirst()
