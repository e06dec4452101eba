import { PHOTO_LIMITS } from '#app/products/admin-contract.ts'
import { tooLarge, unsupportedMedia } from '#app/shared/server/failure.ts'
import type { Darkroom } from './darkroom.ts'
import type { PhotoVariants } from './photo-variants.ts'

const startsWith = (text: string, at = 0) => {
  const expected = Buffer.from(text, 'latin1')
  return (bytes: Buffer) => bytes.subarray(at, at + expected.length).equals(expected)
}

const isBoxed = startsWith('ftyp', 4)
/** The first box of an MPEG file, which lists its brands, has so many bytes at most. */
const LONGEST_BOX = 256
/** Among the brands of the first box: AVIF, but not HEIC. */
function isAvif(bytes: Buffer) {
  if (bytes.length < 16 || !isBoxed(bytes)) return false
  const length = bytes.readUInt32BE()
  if (length % 4 !== 0 || length > LONGEST_BOX) return false
  return /^(.{4})*avi[fs]/s.test(bytes.toString('latin1', 8, length))
}

/** The kinds that are read, known by their first bytes: no other decoder gets to see an upload. */
const KINDS = [
  startsWith('\xff\xd8\xff'),
  startsWith('\x89PNG\r\n\x1a\n'),
  startsWith('GIF8'),
  (bytes: Buffer) => startsWith('RIFF')(bytes) && startsWith('WEBP', 8)(bytes),
  isAvif,
]

/**
 * Develops an upload into what is kept of it. Throws `unsupported_media` for anything but a whole
 * picture of the accepted kinds, whatever its name says, `too_large` when it has too many pixels,
 * and `unavailable` when the darkroom breaks down.
 */
export async function developUpload(darkroom: Darkroom, bytes: Buffer): Promise<PhotoVariants> {
  if (!KINDS.some((isKind) => isKind(bytes)))
    throw unsupportedMedia('The photo must be a JPEG, PNG, WebP, AVIF or GIF picture.')
  const result = await darkroom({ bytes, drawing: false })
  if (result === 'broken') throw unsupportedMedia('The photo is damaged or incomplete.')
  if (result === 'too many pixels')
    throw tooLarge(`The photo may have at most ${PHOTO_LIMITS.pixels / 1e6} megapixels.`)
  return result
}
