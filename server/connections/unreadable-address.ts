import type { IncomingMessage } from 'node:http'

const canBeRead = (address: string) => {
  try {
    decodeURIComponent(address)
    return true
  } catch {
    return false
  }
}

/**
 * An address whose percents mean nothing names no page. A browser that comes there gets the page
 * that says so, for its percents are taken as they stand; anybody else is told that it is broken.
 */
export function readableAddress({
  url = '/',
  headers,
}: Pick<IncomingMessage, 'url' | 'headers'>): string {
  if (!url.includes('%') || !headers.accept?.includes('text/html')) return url
  const [path = '', ...query] = url.split('?')
  if (path.startsWith('/api/') || canBeRead(path)) return url
  return [path.replaceAll('%', '%25'), ...query].join('?')
}
