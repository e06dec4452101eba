import { createHash } from 'node:crypto'
import type { CreateRaw, Sharp } from 'sharp'
import { PHOTO_LIMITS } from '#app/products/admin-contract.ts'
import { PHOTO_WIDTHS } from '#app/products/contract.ts'
import { PHOTO_FORMATS, type PhotoFormat } from '#db/schema.ts'

export type PhotoVariant = { width: number; format: PhotoFormat; bytes: Buffer }

/** A photo as it is kept. `version` changes with the picture and only with it. */
export type PhotoVariants = { version: string; variants: PhotoVariant[] }

/** Quick rather than small: an upload should not wait for the last kilobyte. */
const ENCODERS: Record<PhotoFormat, (image: Sharp) => Sharp> = {
  avif: (image) => image.avif({ quality: 60, effort: 1 }),
  webp: (image) => image.webp({ quality: 82, effort: 2 }),
  jpeg: (image) => image.jpeg({ quality: 82, progressive: true }),
}

/** Part of the version, so that other encoders make other addresses of the same picture. */
const EDITION = 1

const versionOf = (original: Buffer) =>
  createHash('sha256').update(`${EDITION}:`).update(original).digest('base64url').slice(0, 12)

/**
 * Loaded when it is needed: most days a shop takes no picture, and starts the sooner. No picture
 * comes twice, so nothing of one is kept.
 */
export async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  return sharp
}

/** So tall that no picture of a product is, and that every format can hold. */
const TALLEST = 4 * PHOTO_WIDTHS[2]

/** No picture that we keep takes nearly as long; what does was made to. */
const PATIENCE = { seconds: 30 }

/** A picture as it is drawn: its first frame, upright, in sRGB, at most as large as we keep any. */
export type Decoded = { version: string; data: Buffer; raw: CreateRaw }

/**
 * Reads a picture, without its transparency and metadata (sharp keeps none unless told to).
 * Throws sharp's error when the bytes are no whole picture that it can read, or have more pixels
 * than an upload may.
 */
export async function decodePhoto(original: Buffer): Promise<Decoded> {
  const sharp = await loadSharp()
  const { data, info } = await sharp(original, {
    limitInputPixels: PHOTO_LIMITS.pixels,
    failOn: 'error',
  })
    .timeout(PATIENCE)
    .autoOrient()
    .toColourspace('srgb')
    .flatten({ background: '#fff' })
    .resize({ width: PHOTO_WIDTHS[2], height: TALLEST, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return { version: versionOf(original), data, raw: { width, height, channels } }
}

/** Every kept width that the picture fills; a smaller picture keeps its own. */
const widthsFor = (width: number) => {
  const filled = PHOTO_WIDTHS.filter((kept) => kept <= width)
  return filled.length > 0 ? filled : [width]
}

/** Makes every kept size and format of a picture. */
export async function encodePhoto({ version, data, raw }: Decoded): Promise<PhotoVariants> {
  const sharp = await loadSharp()
  const encode = async (width: number, format: PhotoFormat): Promise<PhotoVariant> => {
    const bytes = await ENCODERS[format](sharp(data, { raw }).resize({ width })).toBuffer()
    return { width, format, bytes }
  }
  const variants = widthsFor(raw.width).flatMap((width) =>
    PHOTO_FORMATS.map((format) => encode(width, format)),
  )
  return { version, variants: await Promise.all(variants) }
}

/** Makes every kept size and format of a photo; throws what `decodePhoto` throws. */
export const makePhotoVariants = async (original: Buffer): Promise<PhotoVariants> =>
  encodePhoto(await decodePhoto(original))
