import { PHOTO_WIDTHS } from '#app/products/contract.ts'
import { type Database, PHOTO_FORMATS, type PhotoFormat } from '#db/schema.ts'
import type { Darkroom } from './darkroom.ts'
import { selectPhoto } from './photo-store.ts'
import type { PhotoVariants } from './photo-variants.ts'
import { drawPlaceholder } from './placeholder-photo.ts'

/** Hears of each look into a cache, by the cache's name, and whether the thing was there. */
export type CountLook = (cache: string, found: boolean) => void

type Wanted = { id: string; width: number; format: PhotoFormat }

export type Photo = {
  bytes: Buffer
  /** Of the product's own photo, as products carry it; null for the placeholder. */
  version: string | null
  etag: string
}

/** Wide enough for a product's page; clients that know better ask for a width. */
const USUAL_WIDTH = 640
const [, , WIDEST] = PHOTO_WIDTHS

/** The next larger kept width, the widest for what is larger than all. */
export const keptWidth = (width = USUAL_WIDTH) =>
  PHOTO_WIDTHS.find((kept) => kept >= width) ?? WIDEST

/** How much a client likes a range; 1 where it does not say, or says nonsense. */
function weightOf(parameters: string[]): number {
  const [, weight] = parameters.map((one) => /^q=([01](?:\.\d*)?)$/.exec(one)).find(Boolean) ?? []
  return Math.min(1, Number(weight ?? 1))
}

/**
 * The format that an Accept header likes best, and of those it likes alike the best one. Only
 * JPEG need not be named: every range that covers it will do, the narrowest counting, and it is
 * the answer where nothing is liked.
 */
export function bestFormat(accept = ''): PhotoFormat {
  const ranges = new Map(
    accept
      .toLowerCase()
      .split(',')
      .map((range) => range.split(';').map((part) => part.trim()))
      .map(([type = '', ...parameters]) => [type, weightOf(parameters)]),
  )
  const liking = (format: PhotoFormat) =>
    ranges.get(`image/${format}`) ??
    (format === 'jpeg' ? (ranges.get('image/*') ?? ranges.get('*/*')) : 0) ??
    0
  const most = Math.max(...PHOTO_FORMATS.map(liking))
  return (most > 0 && PHOTO_FORMATS.find((format) => liking(format) === most)) || 'jpeg'
}

function ofPlaceholder({ version, variants }: PhotoVariants, { width, format }: Wanted): Photo {
  const variant = variants.find((one) => one.width === width && one.format === format)
  if (!variant) throw new Error(`The placeholder has no ${format} of width ${width}.`)
  return { bytes: variant.bytes, version: null, etag: `"none-${version}-${width}-${format}"` }
}

/**
 * How to find a product's photo, or the placeholder where it has none; undefined when there is no
 * such product. The placeholder is drawn at its first use and kept in memory;
 * when that fails, the next use draws it again.
 */
export function photosOf(db: Database, darkroom: Darkroom, looked: CountLook = () => {}) {
  let placeholder: Promise<PhotoVariants> | undefined
  return async (wanted: Wanted): Promise<Photo | undefined> => {
    const found = await selectPhoto(db, wanted)
    if (!found) return undefined
    const { version, bytes } = found
    if (version && bytes) {
      return {
        bytes: Buffer.from(bytes),
        version,
        etag: `"${version}-${wanted.width}-${wanted.format}"`,
      }
    }
    looked('placeholder', placeholder !== undefined)
    placeholder ??= drawPlaceholder(darkroom).catch((error) => {
      placeholder = undefined
      throw error
    })
    return ofPlaceholder(await placeholder, wanted)
  }
}
