import { finished } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { widestNetworkOf } from '#app/shared/server/limits/client-keys.ts'
import { tooSoon } from '#app/shared/server/limits/limits.ts'

/** Large bodies of one network that are being received: a slow client has minutes for each. */
const MAX_OF_NETWORK = 40
/** `Retry-After`, in milliseconds. */
const RETRY_MS = 60_000

/**
 * Limits how many bodies above the usual limit one network sends at the same time, because they are
 * collected in memory. `usual` is in bytes.
 */
export function limitLargeBodies(app: FastifyInstance, usual: number): void {
  const receiving = new Map<string, number>()
  const limit = async ({ ip, headers, raw }: FastifyRequest) => {
    if (raw.complete || Number(headers['content-length']) <= usual) return
    const network = widestNetworkOf(ip)
    const count = receiving.get(network) ?? 0
    if (count >= MAX_OF_NETWORK) throw tooSoon('Too much was sent at once.', RETRY_MS)
    receiving.set(network, count + 1)
    finished(raw, () => {
      const left = (receiving.get(network) ?? 1) - 1
      if (left > 0) receiving.set(network, left)
      else receiving.delete(network)
    })
  }
  app.addHook('onRoute', (route) => {
    if ((route.bodyLimit ?? 0) > usual) route.onRequest = [route.onRequest ?? [], limit].flat()
  })
}
