import Negotiator from 'negotiator'
import { PHOTO_FORMATS, type PhotoFormat } from '#db/schema.ts'
import type { ReplyHead } from '../mount.ts'

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

/** The next larger of the stored widths, which ascend, or the widest. */
export const storedWidth = <Width extends number>(
  widths: readonly [Width, ...Width[]],
  wanted: number,
): Width => widths.find((stored) => stored >= wanted) ?? widths.at(-1) ?? widths[0]

/** Names the format of an answer, which depends on the Accept header. */
export function setFormat(reply: ReplyHead, format: PhotoFormat) {
  const vary = [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', ')
  reply.type(typeOf(format)).header('vary', vary)
}
