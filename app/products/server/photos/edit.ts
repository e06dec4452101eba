/** Adding, ordering, describing and removing photos of a product. */
import { v7 as uuidv7 } from 'uuid'
import { MAX_PHOTOS, type PhotoEdit } from '#app/products/photo-contract.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { conflict, invalid, notFound, stale } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { PictureVariants } from '#app/shared/server/pictures/resize-picture.ts'
import { replacePhotoPicture } from '#app/shared/server/pictures/store.ts'
import type { Database } from '#db/schema.ts'
import { publishEdits } from '../publish.ts'
import { lockProducts } from '../variants/store.ts'
import {
  deletePhotos,
  insertPhoto,
  type PhotoRow,
  selectPhotos,
  updateFirstVersion,
  updatePhotos,
  updateShownFor,
} from './store.ts'

/** The photos of a product. Throws `not_found`. */
async function openPhotos(db: Database, id: string): Promise<PhotoRow[]> {
  const photos = await selectPhotos(db, id)
  if (!photos) throw notFound('There is no such product.')
  return photos
}

async function lockPhotos(tx: Database, id: string) {
  await lockProducts(tx, [id])
  return openPhotos(tx, id)
}

function requireRoom(photos: PhotoRow[]) {
  if (photos.length >= MAX_PHOTOS)
    throw conflict(`A product has at most ${MAX_PHOTOS} photos.`, 'photo')
}

/** Throws as `addPhoto` would, before a photo is processed in vain. */
export const requireRoomFor = async (db: Database, id: string) =>
  requireRoom(await openPhotos(db, id))

async function insertPhotoAt(
  tx: Database,
  productId: string,
  position: number,
  { version, variants }: PictureVariants,
) {
  const id = uuidv7()
  await insertPhoto(tx, { id, product_id: productId, position, version })
  await replacePhotoPicture(tx, id, variants)
}

/** Replaces the first photo of a locked product, which keeps its text, or adds it where there is none. */
export async function setFirstPhoto(tx: Database, productId: string, photo: PictureVariants) {
  const id = await updateFirstVersion(tx, productId, photo.version)
  if (id) await replacePhotoPicture(tx, id, photo.variants)
  else await insertPhotoAt(tx, productId, 0, photo)
}

/** Adds a photo behind the others. Throws `not_found`, and `conflict` when there are twenty. */
export async function addPhoto(
  db: Database,
  actor: Actor,
  productId: string,
  photo: PictureVariants,
): Promise<PhotoRow[]> {
  const product_id = productId.toLowerCase()
  return inTransaction(db, actor, async (tx) => {
    const photos = await lockPhotos(tx, product_id)
    requireRoom(photos)
    await insertPhotoAt(tx, product_id, photos.length, photo)
    await publishEdits(tx, [product_id])
    return openPhotos(tx, product_id)
  })
}

const textOf = (photos: { id: string; alt: string }[]) =>
  JSON.stringify(photos.map(({ id, alt }) => [id, alt]))

const rowsOf = (photos: PhotoEdit['to']) =>
  photos.map(({ _id, alt }) => ({ id: _id.toLowerCase(), alt: alt.trim() }))

/** The photos after an edit. Throws `stale` when they are not as the editor read them. */
function photosAfter(photos: PhotoRow[], { from, to }: PhotoEdit): PhotoRow[] {
  if (textOf(rowsOf(from)) !== textOf(photos))
    throw stale('The photos were changed in the meantime. Please look at them again.')
  const present = new Map(photos.map((photo) => [photo.id, photo]))
  return rowsOf(to).map(({ id, alt }, at) => {
    const photo = present.get(id)
    // of one that is named twice, the second is refused
    if (!photo || !present.delete(id))
      throw invalid('This is no photo of the product, or named twice.', `to.${at}._id`)
    return { ...photo, alt }
  })
}

/** Saves an edit of the photos. Throws `not_found`, `stale` and `invalid`. */
export async function savePhotos(
  db: Database,
  actor: Actor,
  productId: string,
  edit: PhotoEdit,
): Promise<PhotoRow[]> {
  const id = productId.toLowerCase()
  return inTransaction(db, actor, async (tx) => {
    const photos = await lockPhotos(tx, id)
    const after = photosAfter(photos, edit)
    const removed = photos.filter((photo) => !after.some((one) => one.id === photo.id))
    if (removed.length > 0) {
      const ids = removed.map((photo) => photo.id)
      await deletePhotos(tx, ids)
    }
    if (after.length > 0) await updatePhotos(tx, after)
    if (edit.shownFor) {
      const { photo, variants } = edit.shownFor
      if (!after.some((one) => one.id === photo.toLowerCase()))
        throw invalid('This is no photo of the product.', 'shownFor.photo')
      await updateShownFor(tx, id, { photo, variants })
    }
    await publishEdits(tx, [id])
    return openPhotos(tx, id)
  })
}
