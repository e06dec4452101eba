import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import { withoutPort } from '#app/shared/server/limits/client-keys.ts'
import { INTERNAL_ADDRESS } from './requests.ts'

/** Whether a peer's forwarding headers are trusted. */
export type IsTrusted = (address: string | undefined) => boolean

/** Creates the test whether an address is among these addresses and ranges; ports are ignored. */
export function trustedProxies(ranges: string[]): IsTrusted {
  const trust = proxyAddr.compile(ranges)
  return (address = '') => trust(withoutPort(address), 0)
}

/** Whether an address is a trusted proxy's or the process's own, so that it is no client's. */
export const forwards =
  (isTrusted: IsTrusted): IsTrusted =>
  (address) =>
    address === INTERNAL_ADDRESS || isTrusted(address)

/** The client's address, as the framework determines it; empty when the client has disconnected. */
export const visitorOf = (request: IncomingMessage, isTrusted: IsTrusted): string =>
  proxyAddr(request, forwards(isTrusted)) ?? ''

const isLoopbackAddress = trustedProxies(['loopback'])

/** Whether a host name or an address is a loopback one. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '')
  return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name)
}

const isPrivate = trustedProxies(['loopback', 'linklocal', 'uniquelocal'])
const FORWARDING = ['x-forwarded-for', 'forwarded', 'x-real-ip']

const ADVICE =
  "requests are forwarded by a proxy that TRUST_PROXY does not name: all its customers count as one address and share one address's limits. Set TRUST_PROXY to the proxy's address, if it is yours"

/** Warns once when an untrusted proxy in a private network forwards requests. */
export function warnOfUntrustedProxy(app: FastifyInstance, isTrusted: IsTrusted) {
  let isWarned = false
  app.addHook('onRequest', async ({ headers, socket: { remoteAddress: proxy } }) => {
    if (isWarned || isTrusted(proxy) || !isPrivate(proxy)) return
    if (!FORWARDING.some((name) => name in headers)) return
    isWarned = true
    app.log.warn({ proxy }, ADVICE)
  })
}
