/**
 * Reads of the whole catalogue for sitemaps and feeds. They go by the id of the last row (keyset
 * pagination), so that each costs the same however large the catalogue is.
 */
import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import { type DetailedRow, productsAfter, withDetails } from './store.ts'

export const selectCatalogueProduct = (db: Database, id: string) =>
  withDetails(db).where('products.id', '=', id).executeTakeFirst()

/** The newest products, newest first. */
export const selectNewest = (db: Database, limit: number): Promise<DetailedRow[]> =>
  withDetails(db).orderBy('products.id', 'desc').limit(limit).execute()

/** The products after the one of this id, oldest first; the first ones after null. */
export const selectCatalogueAfter = (
  db: Database,
  after: string | null,
  limit: number,
): Promise<DetailedRow[]> =>
  withDetails(db)
    .$if(after !== null, (rest) => rest.where('products.id', '>', after))
    .orderBy('products.id')
    .limit(limit)
    .execute()

/** The pages of the products after the one of this id, oldest first; the first ones after null. */
export const selectPages = (db: Database, after: string | null, limit: number) =>
  productsAfter(db, after, limit).select(['slug', 'updated_at']).execute()

/** A part of the catalogue: its last product, how many it has, and when one was edited last. */
export type Part = { last: string; count: number; editedAt: Date }

/** The part after the product of this id. Undefined when there is no product after it. */
export async function selectPartAfter(
  db: Database,
  after: string | null,
  limit: number,
): Promise<Part | undefined> {
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
export async function selectIsLastOfPart(
  db: Database,
  id: string,
  limit: number,
): Promise<boolean> {
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
