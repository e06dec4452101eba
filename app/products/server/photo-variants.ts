import { createHash } from 'node:crypto'
import type { Sharp } from 'sharp'
import { PHOTO_FORMATS, type PhotoFormat } from '#db/schema.ts'
import { PHOTO_WIDTHS } from '../contract.ts'

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

/** Loaded when it is needed: most days a shop takes no picture, and starts the sooner. */
export const loadSharp = async () => (await import('sharp')).default

/** Upright, in sRGB, without transparency and metadata (sharp keeps none unless told to). */
const decode = async (original: Buffer) =>
  (await loadSharp())(original)
    .autoOrient()
    .toColourspace('srgb')
    .flatten({ background: '#fff' })
    .resize({ width: PHOTO_WIDTHS[2], withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true })

/** Every kept width that the picture fills; a smaller picture keeps its own. */
const widthsFor = (width: number) => {
  const filled = PHOTO_WIDTHS.filter((kept) => kept <= width)
  return filled.length > 0 ? filled : [width]
}

/**
 * Makes every kept size and format of a photo.
 * Throws sharp's error when the bytes are no picture that it can read.
 */
export async function makePhotoVariants(original: Buffer): Promise<PhotoVariants> {
  const sharp = await loadSharp()
  const { data, info } = await decode(original)
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const encode = async (width: number, format: PhotoFormat): Promise<PhotoVariant> => {
    const bytes = await ENCODERS[format](sharp(data, { raw }).resize({ width })).toBuffer()
    return { width, format, bytes }
  }
  const variants = widthsFor(info.width).flatMap((width) =>
    PHOTO_FORMATS.map((format) => encode(width, format)),
  )
  return { version: versionOf(original), variants: await Promise.all(variants) }
}
