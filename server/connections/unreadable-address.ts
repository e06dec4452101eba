import type { IncomingMessage } from 'node:http'

/** In the absolute form of a request target (RFC 9112 § 3.2.2), which is for proxies. */
const ORIGIN = /^https?:\/\/[^/?#]*/i

const canBeRead = (address: string) => {
  try {
    decodeURIComponent(address)
    return true
  } catch {
    return false
  }
}

/**
 * Handles a URL with invalid percent-encoding: such a page gets the 404 page, with its percent
 * signs taken literally, whatever the Accept header. The API refuses it.
 */
export function readableAddress({ url: target = '/' }: Pick<IncomingMessage, 'url'>): string {
  const url = target.replace(ORIGIN, '') || '/'
  if (!url.includes('%')) return url
  const [path = '', ...query] = url.split('?')
  if (path.startsWith('/api/') || canBeRead(path)) return url
  return [path.replaceAll('%', '%25'), ...query].join('?')
}
