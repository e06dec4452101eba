/** Statements of the photos of a product. Those that write expect the product to be locked. */
import { sql } from 'kysely'
import type { ListedProduct } from '#app/products/contract.ts'
import type { Database } from '#db/schema.ts'

/** A photo of a product. */
export type PhotoRow = { id: string; alt: string; version: string }

/** The photos of a product in their order, in a statement on products. */
export const PHOTOS = sql<PhotoRow[]>`
  (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'alt', alt, 'version', version) order by position), '[]')
  from product_photos where product_id = products.id)`

/** The version of a product's first photo, in a statement on products; null without one. */
export const PHOTO_VERSION = sql<string | null>`
  (select version from product_photos where product_id = products.id and position = 0)`

/** The second photo of a product as the API has it, in a statement on products. */
export const SECOND_PHOTO = sql<ListedProduct['secondPhoto'] | null>`
  (select jsonb_build_object('_id', id, 'photo', version)
  from product_photos where product_id = products.id and position = 1)`

/** The photos of variants that have one, by the ids of the variants, in a statement on products. */
export const VARIANT_PHOTOS = sql<Record<string, string> | null>`
  (select jsonb_object_agg(id, photo_id)
  from variants where product_id = products.id and photo_id is not null)`

/** Undefined when there is no such product. */
export const selectPhotos = async (db: Database, id: string): Promise<PhotoRow[] | undefined> =>
  (
    await db
      .selectFrom('products')
      .where('id', '=', id)
      .select(PHOTOS.as('photos'))
      .executeTakeFirst()
  )?.photos

export const insertPhoto = (
  tx: Database,
  photo: { id: string; product_id: string; position: number; version: string },
) => tx.insertInto('product_photos').values(photo).execute()

export const deletePhotos = (tx: Database, ids: string[]) =>
  tx.deleteFrom('product_photos').where('id', 'in', ids).execute()

/** Stores the texts and the order of the photos that stay. */
export const updatePhotos = (tx: Database, photos: PhotoRow[]) =>
  sql`
    update product_photos set position = at - 1, alt = given.alt
    from rows from (
      jsonb_to_recordset(${JSON.stringify(photos)}::jsonb) as (id uuid, alt text)
    ) with ordinality as given (id, alt, at)
    where product_photos.id = given.id`.execute(tx)

/** Stores the version of the first photo, and answers the id of this photo; undefined when there is none. */
export const updateFirstVersion = async (
  tx: Database,
  productId: string,
  version: string,
): Promise<string | undefined> =>
  (
    await tx
      .updateTable('product_photos')
      .set({ version })
      .where('product_id', '=', productId)
      .where('position', '=', 0)
      .returning('id')
      .executeTakeFirst()
  )?.id

/** Shows a photo with these variants of its product, and with no others. */
export const updateShownFor = (
  tx: Database,
  productId: string,
  { photo, variants }: { photo: string; variants: string[] },
) =>
  sql`
    update variants set photo_id = case when id = any(${variants}::uuid[]) then ${photo}::uuid end
    where product_id = ${productId}::uuid
      and (id = any(${variants}::uuid[])) is distinct from (photo_id is not distinct from ${photo}::uuid)`.execute(
    tx,
  )
