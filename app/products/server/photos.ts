/** Photos of products. */
import { readFile } from 'node:fs/promises'
import { PHOTO_WIDTHS } from '#app/shared/model/photo.ts'
import { notFound } from '#app/shared/server/failure.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import {
  bestFormat,
  cacheControl,
  setFormat,
  storedWidth,
} from '#app/shared/server/pictures/format.ts'
import type { Database } from '#db/schema.ts'
import type { productCalls } from '../contract.ts'
import { selectPhoto } from './catalogue.sql.ts'

/** The stored width for a requested one; without one, enough for a product's page. */
export const photoWidth = (wanted = 640) => storedWidth(PHOTO_WIDTHS, wanted)

/** A picture of a parcel, 1280 pixels wide. */
const PLACEHOLDER = new URL('./placeholder.jpg', import.meta.url)

export function photoHandlers(db: Database): Pick<Handlers<typeof productCalls>, 'productPhoto'> {
  let placeholder: Promise<Buffer> | undefined
  return {
    async productPhoto({ params: { id }, query, request, reply }) {
      const width = photoWidth(query.w)
      const format = bestFormat(request.headers.accept)
      const found = await selectPhoto(db, { id, width, format })
      if (!found) throw notFound('There is no such product.')
      const { version, bytes } = found
      // who knows the version may see the photo of a draft: the back office, and a preview
      if (!found.is_published && (query.v ?? null) !== version)
        throw notFound('There is no such product.')
      // the tag of what is kept is that of the id, and a new photo publishes the product's
      const isOfAnother = found.id !== id.toLowerCase()
      const isPlaceholder = !version || !bytes
      const etag = isPlaceholder ? '"placeholder"' : `"${version}-${width}-${format}"`
      setFormat(reply, isPlaceholder ? 'jpeg' : format)
      reply.headers({
        etag,
        'cache-control':
          isOfAnother && query.v !== version
            ? 'no-store'
            : cacheControl(!isPlaceholder && query.v === version),
        // photos may be embedded by other origins
        'cross-origin-resource-policy': 'cross-origin',
      })
      if (!isPlaceholder) return Buffer.from(bytes)
      placeholder ??= readFile(PLACEHOLDER)
      return placeholder
    },
  }
}
