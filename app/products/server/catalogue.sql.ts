/**
 * Reads of published products for other domains. Those of the whole catalogue, for sitemaps and feeds, go by the id of
 * the last row (keyset pagination), so that each costs the same however large the catalogue is.
 */
import { sql } from 'kysely'
import { nearestVariant } from '#app/shared/server/pictures/store.ts'
import { countRows, hasRow } from '#app/shared/server/store.ts'
import type { Database, PhotoFormat } from '#db/schema.ts'
import { FROM_VALUES } from './attributes/store.ts'
import { PHOTOS, type PhotoRow } from './photos/store.ts'
import { PUBLISHED } from './publication/published.sql.ts'
import { type DetailedRow, photoOf, productOf, publishedAfter, withDetails } from './store.ts'
import { productOfRemoved } from './variants/removed.sql.ts'

/** The value of the choice or text with this name; null without one. */
const valueNamed = (name: 'brand' | 'mpn') => sql<string | null>`
  (select coalesce(choice.name, value)
  ${FROM_VALUES} and attributes.name_folded = ${sql.lit(name)} and kind in ('choice', 'text'))`

/** A product with its photos in their order. */
export type NewRow = DetailedRow & { photos: PhotoRow[] }

/** With its brand, and the number that its manufacturer gave it. */
export type CatalogueRow = NewRow & { brand: string | null; mpn: string | null }

const withPhotos = (db: Database) => withDetails(db).select(PHOTOS.as('photos'))
const withMaker = (db: Database) =>
  withPhotos(db).select([valueNamed('brand').as('brand'), valueNamed('mpn').as('mpn')])

export const selectCatalogueProduct = (db: Database, id: string) =>
  withMaker(db).where(PUBLISHED).where('products.id', '=', id).executeTakeFirst()

/** The longest time from an entry in the audit log to the end of its transaction, such as an import. */
const LONGEST_TRANSACTION_MS = 60 * 60 * 1000

/**
 * The number of entries by which products left the shop, from an hour before this time on. It grows when a
 * transaction ends, also a long one, whose entries have earlier times.
 */
export const countLeft = (db: Database, since: Date): Promise<number> =>
  countRows(
    db
      .selectFrom('audit_log')
      .where('at', '>', new Date(since.getTime() - LONGEST_TRANSACTION_MS))
      .where('table_name', '=', 'products')
      .where('action', 'in', ['update', 'delete'])
      .where(sql`before ->> 'status'`, '=', 'published'),
  )

/** The newest products, newest first. */
export const selectNewest = (db: Database, limit: number): Promise<NewRow[]> =>
  withPhotos(db).where(PUBLISHED).orderBy('products.id', 'desc').limit(limit).execute()

/** The products after the one of this id, oldest first; the first ones after null. */
export const selectCatalogueAfter = (db: Database, after: string | null, limit: number) =>
  withMaker(db)
    .where(PUBLISHED)
    .$if(after !== null, (rest) => rest.where('products.id', '>', after))
    .orderBy('products.id')
    .limit(limit)
    .execute()

/** The pages of the products after the one of this id, oldest first; the first ones after null. */
export const selectPages = (db: Database, after: string | null, limit: number) =>
  publishedAfter(db, after, limit)
    .select(['id', 'slug', 'updated_at', PHOTOS.as('photos')])
    .execute()

/**
 * The part of the catalogue after the product of this id: its last product, how many it has, and when one was
 * edited last. Undefined when there is no product after it.
 */
export function selectPartAfter(db: Database, after: string | null, limit: number) {
  const part = publishedAfter(db, after, limit).select(['id', 'updated_at']).as('part')
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
    .where(PUBLISHED)
    .select(sql<boolean>`count(*) % ${limit} = 0`.as('isLast'))
  const found = await db
    .selectFrom('products')
    .where('id', '=', id)
    .where(PUBLISHED)
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
          .where(PUBLISHED)
          .orderBy('id', 'desc')
          .limit(1)
          .as('newest'),
      (join) => join.onTrue(),
    )
    .select(['categories.slug', 'newest.created_at as changedAt'])
    .orderBy('name_key')
    .execute()

/** The number of products, drafts too, that have to be shipped and of which a variant has no weight. */
export const countWithoutWeight = (db: Database): Promise<number> =>
  countRows(
    db
      .selectFrom('products')
      .where('shipping', '=', true)
      .where('id', 'in', (eb) =>
        eb.selectFrom('variants').select('product_id').where('weight_grams', 'is', null),
      ),
  )

export const hasProducts = (db: Database): Promise<boolean> =>
  hasRow(db.selectFrom('products').where(PUBLISHED))

/**
 * The version of a photo by the id of its product, by that of a variant, or by its own, whether the product is in the
 * shop, and the photo in this format with the nearest width. One query, so that bytes never travel under another
 * version. Undefined when there is no such product; `bytes` is null when it has no photo.
 */
export const selectPhoto = (
  db: Database,
  { id, ...wanted }: { id: string; width: number; format: PhotoFormat },
) =>
  db
    .selectFrom('products')
    .leftJoin('product_photos as photo', (join) =>
      join.onRef('photo.product_id', '=', 'products.id').on(({ and, eb, or }) => {
        // a photo of its own, else the first one
        const own = photoOf(id)
        return or([
          eb('photo.id', '=', own),
          and([eb('photo.position', '=', 0), eb(own, 'is', null)]),
        ])
      }),
    )
    .leftJoinLateral(
      nearestVariant(db, wanted).where('photo_id', '=', sql.ref<string>('photo.id')).as('picture'),
      (join) => join.onTrue(),
    )
    // past orders show the photo of a variant that was removed
    .where(
      'products.id',
      '=',
      sql<string>`coalesce(${productOf(id)}, ${productOfRemoved(sql`${id}::uuid`)})`,
    )
    .select(['products.id', 'photo.version', 'picture.bytes', PUBLISHED.as('is_published')])
    .executeTakeFirst()
