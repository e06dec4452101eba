import type { IncomingMessage } from 'node:http'
import { signOfMoney } from '#app/payments/server/providers/list.ts'
import type { Config } from '../config.ts'
import { INTERNAL_ADDRESS } from '../operation/requests.ts'
import { isLoopback } from '../operation/trusted-proxies.ts'

const hostOf = (url: string) => URL.parse(url)?.hostname ?? ''

/**
 * The setting that shows that the shop is reachable from other machines, as the end of a sentence;
 * null without one.
 */
export function signOfRealShop(config: Config): string | null {
  const { HOST, SHOP_URL, TRUST_PROXY } = config
  const sign = signOfMoney(config)
  if (sign !== null) return sign
  if (SHOP_URL && !isLoopback(hostOf(SHOP_URL))) return `SHOP_URL is ${SHOP_URL}`
  if (!isLoopback(HOST)) return `HOST is ${HOST}`
  if (TRUST_PROXY) return `TRUST_PROXY is ${TRUST_PROXY}`
  return null
}

/** A `Host` of this machine. It is not parsed as a URL, which would accept user info and a path. */
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/** Headers that proxies, load balancers and CDNs add to a request. */
const PROXY_HEADERS = [
  /client-?ip|forwarded|cdn-loop/,
  /^(via|x-real-ip|x-scheme|x-request-start)$/,
  /^(cf|x-original|x-envoy|x-amzn|x-appengine|x-azure|x-vercel)-/,
]

const isProxyHeader = (name: string) => PROXY_HEADERS.some((header) => header.test(name))

/**
 * Whether a request came through a proxy, as far as it can be detected: by a proxy's header, a
 * `Host` or `Origin` that is not this machine, or HTTP/1.0, which older versions of nginx use and
 * no browser does. A proxy that adds no header and sends a loopback `Host` is detected only by the
 * `Origin` of browsers.
 */
export function isForwarded({ headers, httpVersion, socket }: IncomingMessage): boolean {
  if (socket.remoteAddress === INTERNAL_ADDRESS) return false
  if (httpVersion === '1.0' || Object.keys(headers).some(isProxyHeader)) return true
  if (headers.origin !== undefined && !isLoopback(hostOf(headers.origin))) return true
  return !LOOPBACK_HOST.test(headers.host ?? '')
}
