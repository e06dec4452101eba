import { createHash } from 'node:crypto'
import type { CreateRaw, Sharp } from 'sharp'
import { PHOTO_LIMITS } from '#app/products/admin-contract.ts'
import { PHOTO_WIDTHS } from '#app/products/contract.ts'
import { PHOTO_FORMATS, type PhotoFormat } from '#db/schema.ts'

export type PhotoVariant = { width: number; format: PhotoFormat; bytes: Buffer }

/** A photo as stored. `version` changes exactly when the picture changes. */
export type PhotoVariants = { version: string; variants: PhotoVariant[] }

/** Fast rather than small: an upload should not wait for the last kilobyte. */
const ENCODERS: Record<PhotoFormat, (image: Sharp) => Sharp> = {
  avif: (image) => image.avif({ quality: 60, effort: 1 }),
  webp: (image) => image.webp({ quality: 82, effort: 2 }),
  jpeg: (image) => image.jpeg({ quality: 82, progressive: true }),
}

/** Part of the version, so that other encoder settings give other URLs. */
const EDITION = 1

const versionOf = (original: Buffer) =>
  createHash('sha256').update(`${EDITION}:`).update(original).digest('base64url').slice(0, 12)

/**
 * Loads sharp with the first picture, so that the shop starts without it. One thread per operation
 * and no cache keep its memory small.
 */
export async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}

/** The height limit; every format supports it. */
const MAX_HEIGHT = 4 * PHOTO_WIDTHS[2]

/** A picture that takes longer is malicious. */
const TIMEOUT = { seconds: 30 }

/** Decoded pixels: the first frame, upright, in sRGB, no larger than the largest variant. */
type Pixels = { data: Buffer; raw: CreateRaw }

/** Decodes a picture without transparency and metadata. */
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

/** The stored widths up to the picture's; a smaller picture keeps its own. */
const widthsFor = (width: number) => {
  const filled = PHOTO_WIDTHS.filter((stored) => stored <= width)
  return filled.length > 0 ? filled : [width]
}

/**
 * Makes every stored size and format of a photo, one after the other, so that a photo uses one
 * thread. Throws sharp's error when the bytes are not a complete picture, or have more pixels than
 * allowed.
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
