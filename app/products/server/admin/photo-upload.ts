import { unsupportedMedia } from '#app/shared/server/failure.ts'
import { makePhotoVariants, type PhotoVariants } from '../photo-variants.ts'

export async function developPhoto(bytes: Buffer): Promise<PhotoVariants> {
  try {
    return await makePhotoVariants(bytes)
  } catch {
    throw unsupportedMedia('The photo must be a JPEG, PNG, WebP, AVIF or GIF picture.')
  }
}
