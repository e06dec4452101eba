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

/** `drawing` says that the bytes are an SVG of our own; nobody else's is read. */
export type Exposed = { job: number; bytes: Buffer; drawing: boolean }
export type Developed = { job: number; result: PhotoVariants | Fault }

/** The decoders that may read an upload: AVIF is of the HEIF family. */
const READ = ['jpeg', 'png', 'webp', 'gif', 'heif']

/** What a picture says of itself; null when nothing can be made of it. */
async function readHead(bytes: Buffer) {
  const sharp = await loadSharp()
  return sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => null)
}

async function decode({ bytes, drawing }: Exposed): Promise<Decoded | Fault> {
  const head = await readHead(bytes)
  if (!head || !(drawing ? ['svg'] : READ).includes(head.format)) return 'broken'
  // of a picture that moves, the first frame
  const { width, height, pageHeight = height } = head
  if (width * pageHeight > PHOTO_LIMITS.pixels) return 'too many pixels'
  return decodePhoto(bytes).catch(() => 'broken')
}

async function develop(exposed: Exposed): Promise<PhotoVariants | Fault> {
  const decoded = await decode(exposed)
  return typeof decoded === 'string' ? decoded : encodePhoto(decoded)
}

process.on('message', async (exposed: Exposed) => {
  // an error that is not the picture's ends the process, which its starter sees
  const developed: Developed = { job: exposed.job, result: await develop(exposed) }
  process.send?.(developed)
})
process.once('disconnect', () => process.exit())
