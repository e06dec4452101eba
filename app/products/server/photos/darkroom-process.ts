/**
 * Started by darkroom.ts as a process of its own: develops the pictures that it is sent. Decoders
 * take hundreds of megabytes that an allocator would keep, and read bytes that anybody may have
 * made; here both end with the process.
 */
import { PHOTO_LIMITS } from '#app/products/admin-contract.ts'
import {
  type Decoded,
  decodePhoto,
  encodePhoto,
  loadSharp,
  type PhotoVariants,
} from './photo-variants.ts'

/** What is wrong with a picture that is not developed. */
export type Fault = 'broken' | 'too many pixels'

export type Exposed = { job: number; bytes: Buffer }
export type Developed = { job: number; result: PhotoVariants | Fault }

/** How many pixels a picture says it has, the first frame's where it moves. */
async function pixelsOf(bytes: Buffer): Promise<number> {
  const sharp = await loadSharp()
  const { width, height, pageHeight } = await sharp(bytes, { limitInputPixels: false }).metadata()
  return width * (pageHeight ?? height)
}

async function decode(bytes: Buffer): Promise<Decoded | Fault> {
  const pixels = await pixelsOf(bytes).catch(() => null)
  if (pixels === null) return 'broken'
  if (pixels > PHOTO_LIMITS.pixels) return 'too many pixels'
  return decodePhoto(bytes).catch(() => 'broken')
}

async function develop(bytes: Buffer): Promise<PhotoVariants | Fault> {
  const decoded = await decode(bytes)
  return typeof decoded === 'string' ? decoded : encodePhoto(decoded)
}

process.on('message', async ({ job, bytes }: Exposed) => {
  // an error that is not the picture's ends the process, which its starter sees
  const developed: Developed = { job, result: await develop(bytes) }
  process.send?.(developed)
})
process.once('disconnect', () => process.exit())
