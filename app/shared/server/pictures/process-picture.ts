import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pLimit from 'p-limit'
import { PHOTO_LIMITS } from '#app/shared/model/photo.ts'
import { tooLarge, unsupportedMedia } from '../failure.ts'
import type { ReadPicture, Upload } from './read-picture.ts'
import type { PictureVariants, VariantOptions } from './resize-picture.ts'

/** The accepted types: no other decoder reads an upload. */
const TYPES = ['image/jpeg', 'image/png', 'image/apng', 'image/webp', 'image/avif', 'image/gif']

/** Decoding a picture of 50 megapixels takes hundreds of megabytes. */
const limit = pLimit(2)

/** The field of the form that has the file. */
const FIELD = 'photo'

const READER = fileURLToPath(new URL('./read-picture.ts', import.meta.url))

/** Reads a picture in a process of its own. Rejects when that cannot be started, or ends without an answer. */
async function read(upload: Upload): Promise<ReadPicture> {
  const reader = fork(READER, { serialization: 'advanced' })
  const ended = new AbortController()
  reader
    .on('error', (error) => ended.abort(error))
    .once('exit', (code, signal) =>
      ended.abort(new Error(`The process that reads a photo has ended: ${signal ?? code}.`)),
    )
  try {
    await once(reader, 'spawn', ended)
    reader.send(upload)
    const [answer] = await once(reader, 'message', ended)
    return answer
  } catch (error) {
    throw ended.signal.reason ?? error
  } finally {
    reader.kill('SIGKILL')
  }
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
  const answer = await limit(read, { bytes, options })
  if ('picture' in answer) return answer.picture
  throw answer.refused === 'damaged'
    ? unsupportedMedia('The photo is damaged or incomplete.', FIELD)
    : tooLarge(`The photo may have at most ${PHOTO_LIMITS.pixels / 1e6} megapixels.`, FIELD)
}
