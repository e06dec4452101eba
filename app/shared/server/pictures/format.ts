import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'
import { PHOTO_FORMATS, type PhotoFormat } from '#db/schema.ts'
import type { CacheKeyRule } from '../domain-module.ts'
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

/** A width as clients usually write it; any other is left to the call. */
const WIDTH = /^\d{1,6}(\.\d{1,5})?$/

/** There are few different Accept headers, because there are few browsers. */
const types = new LRUCache<string, string>({
  max: 200,
  memoMethod: (accept) => typeOf(bestFormat(accept)),
})

/** The cache key of a picture, which differs by the stored width and by the format that the client prefers. */
export const pictureKey = (path: string, widthFor: (wanted?: number) => number): CacheKeyRule => ({
  path,
  canonicalQuery(query) {
    const { w, ...others } = Object.fromEntries(query)
    if (w !== undefined && !WIDTH.test(w)) return null
    const width = widthFor(w === undefined ? w : Number(w))
    return [['w', String(width)], ...Object.entries(others)]
  },
  typeFor: (accept = '') => types.memo(accept),
})

const YEAR = 365 * 24 * 60 * 60
/** Cache lifetime of a picture requested without its version, in seconds. */
const SHORT = 60

/** The `cache-control` of a picture. */
export const cacheControl = (isVersioned: boolean) =>
  `public, max-age=${isVersioned ? `${YEAR}, immutable` : SHORT}`
