import type { photoCalls } from '#app/products/photo-contract.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import { invalid } from '#app/shared/server/failure.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { processPicture } from '#app/shared/server/pictures/process-picture.ts'
import type { Database } from '#db/schema.ts'
import { addPhoto, requireRoomFor, savePhotos } from './edit.ts'
import { presentPhotos } from './shown.ts'

export const photoEditHandlers = ({ db }: { db: Database }): Handlers<typeof photoCalls> => ({
  async addPhoto({ params: { id }, photo: upload, clientLeft, caller, recheckCaller }) {
    if (!upload) throw invalid('Please choose a photo.', 'photo')
    await requireRoomFor(db, id)
    const photo = await processPicture(upload, { signal: clientLeft })
    await recheckCaller()
    const photos = await addPhoto(db, admin(caller), id, photo)
    return { success: true, message: 'Photo added.', photos: presentPhotos(photos) }
  },
  async savePhotos({ params: { id }, body, caller }) {
    const photos = await savePhotos(db, admin(caller), id, body)
    return { success: true, message: 'Photos saved.', photos: presentPhotos(photos) }
  },
})
