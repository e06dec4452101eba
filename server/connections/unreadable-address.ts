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
 * An address whose percents mean nothing names no page, and its percents are taken as they stand:
 * the answer is the page that says so, whatever is accepted, as for every page. The API refuses it.
 */
export function readableAddress({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  if (!url.includes('%')) return url
  const [path = '', ...query] = url.split('?')
  if (path.startsWith('/api/') || canBeRead(path)) return url
  return [path.replaceAll('%', '%25'), ...query].join('?')
}
