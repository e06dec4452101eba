import { readFile } from 'node:fs/promises'
import { PHOTO_WIDTHS } from '#app/shared/model/photo.ts'
import type { Database, PhotoFormat } from '#db/schema.ts'
import { selectPhoto } from './photo-store.ts'

type PhotoVariantKey = { id: string; width: number; format: PhotoFormat }

export type Photo = {
  bytes: Buffer
  format: PhotoFormat
  /** The version of the product's photo; null for the placeholder. */
  version: string | null
  etag: string
}

/** The default width, enough for a product's page. */
const USUAL_WIDTH = 640
const [, , WIDEST] = PHOTO_WIDTHS

/** The next larger stored width, or the widest. */
export const storedWidth = (width = USUAL_WIDTH) =>
  PHOTO_WIDTHS.find((stored) => stored >= width) ?? WIDEST

/** A picture of a parcel, 1280 pixels wide. */
const PLACEHOLDER = new URL('./placeholder.jpg', import.meta.url)

/** Creates the reader of photos. The placeholder has one size and stays in memory. */
export function photosOf(db: Database) {
  let placeholder: Promise<Photo> | undefined
  const readPlaceholder = async (): Promise<Photo> => ({
    bytes: await readFile(PLACEHOLDER),
    format: 'jpeg',
    version: null,
    etag: '"placeholder"',
  })
  /** A product's photo, or the placeholder; undefined when there is no such product. */
  return async (wanted: PhotoVariantKey): Promise<Photo | undefined> => {
    const found = await selectPhoto(db, wanted)
    if (!found) return undefined
    const { version, bytes } = found
    const { width, format } = wanted
    if (version && bytes)
      return {
        bytes: Buffer.from(bytes),
        format,
        version,
        etag: `"${version}-${width}-${format}"`,
      }
    placeholder ??= readPlaceholder()
    return placeholder
  }
}
