import type { IncomingMessage } from 'node:http'
import type { Requester } from './entries.ts'

/**
 * Whether there is exactly one Host header where HTTP requires one; the framework refuses others.
 */
function hasOneHost({ rawHeaders, headers: { host }, httpVersion }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts === 1 || (hosts === 0 && host === undefined && httpVersion === '1.0')
}

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
export function cameByTls(
  { headers, socket }: IncomingMessage,
  isTrusted: (address: string | undefined) => boolean,
): boolean {
  const proto = headers['x-forwarded-proto']
  if (proto === undefined || !isTrusted(socket.remoteAddress)) return false
  return String(proto).split(',').at(-1)?.trim() === 'https'
}

/** The requester, for an internal request, which trusts the same proxies. */
export function requesterOf({ headers, socket }: IncomingMessage, id: string): Requester {
  const forwarded = headers['x-forwarded-for']
  const peer = socket.remoteAddress ?? ''
  return { id, from: forwarded === undefined ? peer : `${forwarded}, ${peer}` }
}

/**
 * The client's address, as the framework determines it: the last one that is not a trusted proxy.
 */
export function visitorOf(
  { from }: Requester,
  isTrusted: (address: string | undefined) => boolean,
) {
  const addresses = from
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean)
  return addresses.findLast((address) => !isTrusted(address)) ?? addresses[0] ?? ''
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
