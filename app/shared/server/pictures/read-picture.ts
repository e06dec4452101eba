/**
 * Process that reads one upload, from its standard input: process-picture.ts starts it, and receives what it made as a
 * message. Decoders meet files of strangers here: what they break, and the memory that they take, ends with this
 * process.
 */
import { flushCompileCache } from 'node:module'
import { constants, setPriority } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { PHOTO_LIMITS } from '#app/shared/model/photo.ts'
import { loadSharp } from './load-sharp.ts'
import { makeVariants, type PictureVariants, type VariantOptions } from './resize-picture.ts'

/** Message from the parent. */
export type ReadingTask = { options: VariantOptions | undefined }

type Refusal = 'unsupported' | 'damaged' | 'too large'

/** Message to the parent. */
export type ReadPicture = { picture: PictureVariants } | { refused: Refusal }

/** libvips' names of the decoders of accepted types: AVIF belongs to the HEIF family. */
const DECODERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map((name) => `VipsForeignLoad${name}`)

/** How files of accepted types begin, in hexadecimal digits: JPEG, PNG, GIF, WebP and AVIF. */
const BEGINNINGS = [
  /^ffd8ff/,
  /^89504e470d0a1a0a/,
  /^474946383[79]61/,
  /^52494646.{8}57454250/,
  /^.{8}66747970617669(66|73)/,
]

/** Whether a file begins like one of an accepted type: no decoder meets another one. */
function isSupported(bytes: Buffer): boolean {
  const start = bytes.toString('hex', 0, 16)
  return BEGINNINGS.some((beginning) => beginning.test(start))
}

/** Why the picture is refused by its header, before it is decoded. */
async function refusalOf(bytes: Buffer): Promise<Refusal | undefined> {
  if (!isSupported(bytes)) return 'unsupported'
  const sharp = await loadSharp()
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: DECODERS })
  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => null)
  if (!header) return 'damaged'
  // of an animation, the first frame
  const { width, height, pageHeight = height } = header
  return width * pageHeight > PHOTO_LIMITS.pixels ? 'too large' : undefined
}

async function read({ options }: ReadingTask): Promise<ReadPicture> {
  const bytes = await buffer(process.stdin)
  const refused = await refusalOf(bytes)
  if (refused) return { refused }
  return makeVariants(bytes, options).then(
    (picture) => ({ picture }),
    () => ({ refused: 'damaged' }),
  )
}

async function answer(task: ReadingTask) {
  const picture = await read(task)
  // it is killed when it has answered: the next one starts faster
  flushCompileCache()
  process.send?.(picture)
}

// requests of the shop have priority
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
// the shop finishes the upload before it stops, and this process ends with it; signals to the group reach both
process
  .once('disconnect', () => process.exit())
  .on('SIGINT', () => {})
  .on('SIGTERM', () => {})
  .on('SIGHUP', () => {})
  .once('message', answer)
if (!process.connected) process.exit()
