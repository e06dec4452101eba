import type { FastifyInstance } from 'fastify'
import { type IsTrusted, trustedPeers } from './trusted-peers.ts'

const isNear = trustedPeers(['loopback', 'linklocal', 'uniquelocal'])
const FORWARDING = ['x-forwarded-for', 'forwarded', 'x-real-ip']

const ADVICE =
  "requests are forwarded by a proxy that TRUST_PROXY does not name: all its customers count as one address and share one address's limits. Set TRUST_PROXY to the proxy's address, if it is yours"

/**
 * Warns, once, that a proxy seems to stand before the shop whose word does not count. It counts no
 * more for that: anybody may say that they forward.
 */
export function warnOfUnheededProxy(app: FastifyInstance, isTrusted: IsTrusted) {
  let isSaid = false
  app.addHook('onRequest', async ({ headers, socket: { remoteAddress: proxy } }) => {
    if (isSaid || isTrusted(proxy) || !isNear(proxy)) return
    if (!FORWARDING.some((name) => name in headers)) return
    isSaid = true
    app.log.warn({ proxy }, ADVICE)
  })
}
