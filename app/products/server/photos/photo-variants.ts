import { createHash } from 'node:crypto'
import type { CreateRaw, Sharp } from 'sharp'
import { PHOTO_LIMITS } from '#app/products/admin-contract.ts'
import { PHOTO_WIDTHS } from '#app/products/contract.ts'
import { PHOTO_FORMATS, type PhotoFormat } from '#db/schema.ts'

export type PhotoVariant = { width: number; format: PhotoFormat; bytes: Buffer }

/** A photo as it is stored. `version` changes with the picture and only with it. */
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
 * Loads sharp when the first picture comes, so that the shop starts without it. One thread for each
 * operation and no cache keep its memory small.
 */
export async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}

/** No product photo is as tall, and every format can hold it. */
const MAX_HEIGHT = 4 * PHOTO_WIDTHS[2]

/** A picture that takes longer was made to. */
const TIMEOUT = { seconds: 30 }

/** Decoded pixels: the first frame, upright, in sRGB, no larger than the largest variant. */
type Pixels = { data: Buffer; raw: CreateRaw }

/** Decodes a picture, without its transparency and metadata (sharp keeps none unless told to). */
async function decode(original: Buffer): Promise<Pixels> {
  const sharp = await loadSharp()
  const { data, info } = await sharp(original, {
    limitInputPixels: PHOTO_LIMITS.pixels,
    failOn: 'error',
  })
    .timeout(TIMEOUT)
    .autoOrient()
    .toColourspace('srgb')
    .flatten({ background: '#fff' })
    .resize({ width: PHOTO_WIDTHS[2], height: MAX_HEIGHT, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return { data, raw: { width, height, channels } }
}

/** Every stored width that the picture fills; a smaller picture keeps its own. */
const widthsFor = (width: number) => {
  const filled = PHOTO_WIDTHS.filter((stored) => stored <= width)
  return filled.length > 0 ? filled : [width]
}

/**
 * Makes every stored size and format of a photo, one after the other, so that a photo takes one of
 * the process' few threads. Throws sharp's error when the bytes are no whole picture that it can
 * read, or have more pixels than an upload may.
 */
export async function makePhotoVariants(original: Buffer): Promise<PhotoVariants> {
  const sharp = await loadSharp()
  const { data, raw } = await decode(original)
  const variants: PhotoVariant[] = []
  for (const width of widthsFor(raw.width)) {
    for (const format of PHOTO_FORMATS) {
      const bytes = await ENCODERS[format](sharp(data, { raw }).resize({ width })).toBuffer()
      variants.push({ width, format, bytes })
    }
  }
  return { version: versionOf(original), variants }
}
