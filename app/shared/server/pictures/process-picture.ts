import pLimit from 'p-limit'
import { PHOTO_LIMITS } from '#app/shared/model/photo.ts'
import { tooLarge, unsupportedMedia } from '../failure.ts'
import { loadSharp } from './load-sharp.ts'
import { makeVariants, type PictureVariants, type VariantOptions } from './resize-picture.ts'

/** The accepted types: no other decoder reads an upload. */
const TYPES = ['image/jpeg', 'image/png', 'image/apng', 'image/webp', 'image/avif', 'image/gif']
/** libvips' names of their decoders: AVIF belongs to the HEIF family. */
const DECODERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map((name) => `VipsForeignLoad${name}`)

/** Decoding a picture of 50 megapixels takes hundreds of megabytes. */
const limit = pLimit(2)

/** The field of the form that has the file. */
const FIELD = 'photo'

const damaged = () => unsupportedMedia('The photo is damaged or incomplete.', FIELD)

/** Checks the picture's header before it is decoded. */
async function checkHeader(bytes: Buffer) {
  const sharp = await loadSharp()
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: DECODERS })
  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => null)
  if (!header) throw damaged()
  // of an animation, the first frame
  const { width, height, pageHeight = height } = header
  if (width * pageHeight > PHOTO_LIMITS.pixels)
    throw tooLarge(`The photo may have at most ${PHOTO_LIMITS.pixels / 1e6} megapixels.`, FIELD)
}

/**
 * Processes an upload into its stored variants, two uploads at a time. Throws `unsupported_media`
 * for anything but a complete picture of an accepted type, whatever its name, and `too_large` when
 * it has too many pixels.
 */
export async function processPicture(
  bytes: Buffer,
  options?: VariantOptions,
): Promise<PictureVariants> {
  const { fileTypeFromBuffer } = await import('file-type')
  const type = await fileTypeFromBuffer(bytes)
  if (!type || !TYPES.includes(type.mime))
    throw unsupportedMedia('The photo must be a JPEG, PNG, WebP, AVIF or GIF picture.', FIELD)
  return limit(async () => {
    await checkHeader(bytes)
    return makeVariants(bytes, options).catch(() => {
      throw damaged()
    })
  })
}
