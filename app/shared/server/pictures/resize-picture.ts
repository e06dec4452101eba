import { createHash } from 'node:crypto'
import type { CreateRaw, Sharp } from 'sharp'
import { PHOTO_LIMITS, PHOTO_WIDTHS } from '#app/shared/model/photo.ts'
import { PHOTO_FORMATS, type PhotoFormat } from '#db/schema.ts'
import { loadSharp } from './load-sharp.ts'

export type PictureVariant = { width: number; format: PhotoFormat; bytes: Buffer }

/** A picture as stored. `version` changes exactly when the picture changes; width and height are the largest's. */
export type PictureVariants = {
  version: string
  width: number
  height: number
  variants: PictureVariant[]
}

export type VariantOptions = {
  /** The widths to store, ascending. */
  widths: readonly [number, ...number[]]
  /** Transparent parts stay transparent where the format allows it; otherwise they are white. */
  keepsTransparency: boolean
}

const PHOTO: VariantOptions = { widths: PHOTO_WIDTHS, keepsTransparency: false }

/** Fast rather than small: an upload should not wait for the last kilobyte. */
const ENCODERS: Record<PhotoFormat, (image: Sharp) => Sharp> = {
  avif: (image) => image.avif({ quality: 60, effort: 1 }),
  webp: (image) => image.webp({ quality: 82, effort: 2 }),
  jpeg: (image) => image.flatten({ background: '#fff' }).jpeg({ quality: 82, progressive: true }),
}

/** Part of the version, so that other encoder settings give other URLs. */
const EDITION = 1

const versionOf = (original: Buffer) =>
  createHash('sha256').update(`${EDITION}:`).update(original).digest('base64url').slice(0, 12)

/** The height limit, as a multiple of the width; every format supports it. */
const MAX_HEIGHT_RATIO = 4

/** A picture that takes longer is malicious. */
const TIMEOUT = { seconds: 30 }

/** Decoded pixels: the first frame, upright, in sRGB, no larger than the largest variant. */
type Pixels = { data: Buffer; raw: CreateRaw }

/** Decodes a picture without metadata. */
async function decode(
  original: Buffer,
  { widths, keepsTransparency }: VariantOptions,
): Promise<Pixels> {
  const sharp = await loadSharp()
  const width = widths.at(-1) ?? widths[0]
  const upright = sharp(original, {
    limitInputPixels: PHOTO_LIMITS.pixels,
    failOn: 'error',
  })
    .timeout(TIMEOUT)
    .autoOrient()
    .toColourspace('srgb')
  const { data, info } = await (keepsTransparency
    ? upright
    : upright.flatten({ background: '#fff' })
  )
    .resize({ width, height: MAX_HEIGHT_RATIO * width, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, raw: { width: info.width, height: info.height, channels: info.channels } }
}

/** The stored widths up to the picture's; a smaller picture keeps its own. */
const widthsFor = (width: number, widths: readonly number[]) => {
  const filled = widths.filter((stored) => stored <= width)
  return filled.length > 0 ? filled : [width]
}

/**
 * Makes every stored size and format of a picture, one after the other, so that it uses one
 * thread. Throws sharp's error when the bytes are not a complete picture, or have more pixels than
 * allowed.
 */
export async function makeVariants(
  original: Buffer,
  options: VariantOptions = PHOTO,
): Promise<PictureVariants> {
  const sharp = await loadSharp()
  const { data, raw } = await decode(original, options)
  const variants: PictureVariant[] = []
  for (const width of widthsFor(raw.width, options.widths)) {
    for (const format of PHOTO_FORMATS) {
      const bytes = await ENCODERS[format](sharp(data, { raw }).resize({ width })).toBuffer()
      variants.push({ width, format, bytes })
    }
  }
  const { width, height } = raw
  return { version: versionOf(original), width, height, variants }
}
