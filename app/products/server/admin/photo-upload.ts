import { PHOTO_LIMITS } from '#app/products/admin-contract.ts'
import { budgetOf } from '#app/shared/server/budget.ts'
import { tooLarge, unsupportedMedia } from '#app/shared/server/failure.ts'
import {
  type Decoded,
  decodePhoto,
  encodePhoto,
  loadSharp,
  type PhotoVariants,
} from '../photo-variants.ts'

/** A picture of 50 megapixels takes hundreds of megabytes, and sharp uses every core for one. */
const AT_ONCE = 2

const startsWith = (text: string, at = 0) => {
  const expected = Buffer.from(text, 'latin1')
  return (bytes: Buffer) => bytes.subarray(at, at + expected.length).equals(expected)
}

const isBoxed = startsWith('ftyp', 4)
/** The brands of the first box of a file of the MPEG family: AVIF, but not HEIC. */
const isAvif = (bytes: Buffer) =>
  isBoxed(bytes) && /^.{8}(.{4})*avi[fs]/s.test(bytes.toString('latin1', 0, 64))

/** The kinds that are read, known by their first bytes: no other decoder gets to see an upload. */
const KINDS = [
  startsWith('\xff\xd8\xff'),
  startsWith('\x89PNG\r\n\x1a\n'),
  startsWith('GIF8'),
  (bytes: Buffer) => startsWith('RIFF')(bytes) && startsWith('WEBP', 8)(bytes),
  isAvif,
]

const noPicture = () =>
  unsupportedMedia('The photo must be a JPEG, PNG, WebP, AVIF or GIF picture.')
const broken = () => unsupportedMedia('The photo is damaged or incomplete.')
const tooManyPixels = () =>
  tooLarge(`The photo may have at most ${PHOTO_LIMITS.pixels / 1e6} megapixels.`)

/** How many pixels a picture says it has, the first frame's where it moves. */
async function pixelsOf(bytes: Buffer): Promise<number> {
  const sharp = await loadSharp()
  const { width, height, pageHeight } = await sharp(bytes, { limitInputPixels: false }).metadata()
  return width * (pageHeight ?? height)
}

async function decode(bytes: Buffer): Promise<Decoded> {
  if (!KINDS.some((isKind) => isKind(bytes))) throw noPicture()
  const pixels = await pixelsOf(bytes).catch(() => {
    throw broken()
  })
  if (pixels > PHOTO_LIMITS.pixels) throw tooManyPixels()
  return decodePhoto(bytes).catch(() => {
    throw broken()
  })
}

/**
 * Makes the darkroom that develops uploads into what is kept of them, few at once. It throws
 * `unsupported_media` for anything but a whole picture of the accepted kinds, whatever its name
 * says, and `too_large` when it has too many pixels.
 */
export function darkroom(): (bytes: Buffer) => Promise<PhotoVariants> {
  const places = budgetOf(AT_ONCE)
  return async (bytes) => {
    const leave = await places(1)
    try {
      return await encodePhoto(await decode(bytes))
    } finally {
      leave()
    }
  }
}
