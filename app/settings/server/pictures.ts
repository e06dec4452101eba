import type { Actor } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { processUpload } from '#app/shared/server/photos/photo-upload.ts'
import type { Database } from '#db/schema.ts'
import { PICTURE_WIDTHS, type Picture } from '../contract.ts'
import { insertPicture, insertVariants } from './store.ts'

/**
 * Stores an uploaded picture in every width and format. Throws `unsupported_media` or `too_large`
 * like the upload of a product's photo.
 */
export async function storePicture(db: Database, actor: Actor, bytes: Buffer): Promise<Picture> {
  const { version, width, height, variants } = await processUpload(bytes, {
    widths: PICTURE_WIDTHS,
    keepsTransparency: true,
  })
  const picture = { id: version, width, height }
  await inTransaction(db, actor, async (tx) => {
    await insertPicture(tx, picture)
    await insertVariants(
      tx,
      variants.map((variant) => ({ picture_id: version, ...variant })),
    )
  })
  return picture
}

/** The stored width for a requested one: the next larger, or the widest. */
export const pictureWidth = (wanted: number = PICTURE_WIDTHS[1]): number =>
  PICTURE_WIDTHS.find((stored) => stored >= wanted) ?? PICTURE_WIDTHS[2]
