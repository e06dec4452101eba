import Negotiator from 'negotiator'
import { PHOTO_FORMATS, type PhotoFormat } from '#db/schema.ts'

const typeOf = (format: PhotoFormat) => `image/${format}`

/**
 * The format that an Accept header prefers. AVIF and WebP only where they are named, because
 * clients that send a wildcard may not support them; JPEG where none is acceptable.
 */
export function bestFormat(accept = ''): PhotoFormat {
  const header = accept.toLowerCase()
  const offered = PHOTO_FORMATS.filter(
    (format) => format === 'jpeg' || header.includes(typeOf(format)),
  )
  const chosen = new Negotiator({ headers: { accept: header } }).mediaType(offered.map(typeOf))
  return offered.find((format) => typeOf(format) === chosen) ?? 'jpeg'
}
