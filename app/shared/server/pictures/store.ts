/** Stored pictures in every width and format: the photos of products, and the logo and slides of the settings. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database, PhotoFormat, Row } from '#db/schema.ts'
import type { PictureVariant, PictureVariants } from './resize-picture.ts'

type Owner = Partial<Pick<Row<'pictures'>, 'photo_id' | 'id' | 'full_width' | 'full_height'>>

/**
 * One statement a variant, yielding to the event loop between them, because the embedded database runs in
 * this thread. A picture that is stored resets `used_at`.
 */
async function insertVariants(tx: Database, owner: Owner, variants: PictureVariant[]) {
  const used_at = owner.id ? sql<Date>`now()` : null
  for (const variant of variants) {
    await tx
      .insertInto('pictures')
      .values({ ...owner, ...variant, used_at })
      .onConflict((stored) => stored.columns(['id', 'width', 'format']).doUpdateSet({ used_at }))
      .execute()
    await yieldToEventLoop()
  }
}

/** Stores the picture of a product's photo in place of the one that it had. */
export async function replacePhotoPicture(
  tx: Database,
  photoId: string,
  variants: PictureVariant[],
) {
  await tx.deleteFrom('pictures').where('photo_id', '=', photoId).execute()
  await insertVariants(tx, { photo_id: photoId }, variants)
}

/** Stores a picture of the settings; its version is its id. */
export const insertPicture = (
  tx: Database,
  { version: id, width: full_width, height: full_height, variants }: PictureVariants,
) => insertVariants(tx, { id, full_width, full_height }, variants)

/** The bytes in this format with the nearest width: the same, or the largest stored. */
export const nearestVariant = (
  db: Database,
  { width, format }: { width: number; format: PhotoFormat },
) =>
  db
    .selectFrom('pictures')
    .where('format', '=', format)
    .orderBy((variant) => variant.fn('abs', [variant('pictures.width', '-', width)]))
    .limit(1)
    .select('bytes')

/** The bytes of a picture of the settings; undefined when there is none. */
export async function selectPicture(
  db: Database,
  { id, ...wanted }: { id: string; width: number; format: PhotoFormat },
): Promise<Buffer | undefined> {
  const variant = await nearestVariant(db, wanted).where('id', '=', id).executeTakeFirst()
  return variant && Buffer.from(variant.bytes)
}

/** The ids among these of which a picture of the settings is stored. */
export async function selectStoredPictures(db: Database, ids: string[]): Promise<string[]> {
  const stored = db.selectFrom('pictures').distinct().where('id', 'in', ids).select('id')
  return (await stored.execute()).flatMap(({ id }) => id ?? [])
}

/** Whether the settings use the picture. Those of products have no id: they are not read. */
const IS_USED = sql<boolean>`exists (
  select from settings
  where value ->> 'logo' = pictures.id
    or jsonb_path_exists(
      value, '$.slides[*] ? (@.picture == $id)', jsonb_build_object('id', pictures.id)
    )
)`

/** Notes that the present settings use their pictures. */
export const touchUsedPictures = (tx: Database) =>
  tx
    .updateTable('pictures')
    .set({ used_at: sql`now()` })
    .where('id', 'is not', null)
    .where(IS_USED)
    .execute()

/** Deletes the pictures that no setting uses, and that none has used for a day. */
export const deleteUnusedPictures = (tx: Database) =>
  tx
    .deleteFrom('pictures')
    .where('id', 'is not', null)
    .where('used_at', '<', sql<Date>`now() - interval '1 day'`)
    .where(sql<boolean>`not ${IS_USED}`)
    .execute()
