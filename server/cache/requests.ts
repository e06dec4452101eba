import type { IncomingMessage } from 'node:http'
import type { By } from './render.ts'

/** Which shop is meant is said once, where it has to be: what is unclear is refused by others. */
function namesItsHost({ rawHeaders, headers: { host }, httpVersion }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts === 1 || (hosts === 0 && host === undefined && httpVersion === '1.0')
}

/** Whether somebody only wants to see what is at an address, and says so in the usual way. */
export function isPlain(request: IncomingMessage): boolean {
  const { method, headers } = request
  if (method !== 'GET' && method !== 'HEAD') return false
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return false
  const length = headers['content-length']
  return (length === undefined || length === '0') && namesItsHost(request)
}

/** Whether it came by TLS, as the framework would find out: a trusted proxy's last word counts. */
export function cameByTls(
  { headers, socket }: IncomingMessage,
  isTrusted: (address: string | undefined) => boolean,
): boolean {
  const proto = headers['x-forwarded-proto']
  if (proto === undefined || !isTrusted(socket.remoteAddress)) return false
  return String(proto).split(',').at(-1)?.trim() === 'https'
}

/** Who asks, for a request inside the process: it trusts the same proxies as one from outside. */
export function askerOf({ headers, socket }: IncomingMessage, id: string): By {
  const told = headers['x-forwarded-for']
  const peer = socket.remoteAddress ?? ''
  return { id, from: told === undefined ? peer : `${told}, ${peer}` }
}

/** The address that limits count, as the framework finds it: the last one that is no trusted proxy. */
export function visitorOf({ from }: By, isTrusted: (address: string | undefined) => boolean) {
  const told = from
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean)
  return told.findLast((address) => !isTrusted(address)) ?? told[0] ?? ''
}

/** Whether the client has this already, as its If-None-Match says. */
export function has(etag: string, { headers }: IncomingMessage): boolean {
  const known = headers['if-none-match']
  if (known === undefined) return false
  if (known === etag) return true
  const plain = (tag: string) => tag.trim().replace(/^W\//, '')
  return known.split(',').some((tag) => tag.trim() === '*' || plain(tag) === plain(etag))
}
