import type { IncomingMessage } from 'node:http'
import { hasOneHost } from '../connections/client-errors.ts'
import type { IsTrusted } from '../operation/trusted-proxies.ts'

/** Whether the request is a plain GET or HEAD without body and token. */
export function isPlain(request: IncomingMessage): boolean {
  const { method, headers } = request
  if (method !== 'GET' && method !== 'HEAD') return false
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return false
  // clients without a session may send the header empty
  if (headers.authorization) return false
  const length = headers['content-length']
  return (length === undefined || length === '0') && hasOneHost(request)
}

/**
 * Whether the request came by TLS, as the framework determines it: the last value of a trusted
 * proxy.
 */
export function cameByTls({ headers, socket }: IncomingMessage, isTrusted: IsTrusted): boolean {
  const proto = headers['x-forwarded-proto']
  if (proto === undefined || !isTrusted(socket.remoteAddress)) return false
  return String(proto).split(',').at(-1)?.trim() === 'https'
}

/** The longest header that is parsed for each request, in characters. Browsers send far shorter ones. */
const MAX_PARSED_LENGTH = 1024

/** A header without the work of a long one, which is treated as missing. */
export function parsedHeader(
  { headers }: IncomingMessage,
  name: 'if-none-match' | 'accept-encoding' | 'accept',
): string | undefined {
  const value = headers[name]
  return value === undefined || value.length > MAX_PARSED_LENGTH ? undefined : String(value)
}

/** Whether If-None-Match contains the ETag. */
export function hasETag(etag: string, request: IncomingMessage): boolean {
  const known = parsedHeader(request, 'if-none-match')
  if (known === undefined) return false
  if (known === etag) return true
  const plain = (tag: string) => tag.trim().replace(/^W\//, '')
  return known.split(',').some((tag) => tag.trim() === '*' || plain(tag) === plain(etag))
}
