import { finished } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { widestNetworkOf } from '#app/shared/server/limits/client-keys.ts'
import { tooSoon } from '#app/shared/server/limits/limits.ts'

/** Larger bodies, in bytes, are counted while they are received. */
const LARGE = 64 * 1024
/** Large bodies of one network that are being received: a slow client has minutes for each. */
const MAX_OF_NETWORK = 40
/** `Retry-After`, in milliseconds. */
const RETRY_MS = 60_000

/**
 * Limits how many large bodies one network sends at the same time, because they are collected in
 * memory.
 */
export function limitLargeBodies(app: FastifyInstance): void {
  const receiving = new Map<string, number>()
  const limit = async ({ ip, headers, raw }: FastifyRequest, reply: FastifyReply) => {
    if (raw.complete || Number(headers['content-length']) <= LARGE) return
    const network = widestNetworkOf(ip)
    const count = receiving.get(network) ?? 0
    if (count >= MAX_OF_NETWORK) throw tooSoon('Too much was sent at once.', RETRY_MS)
    receiving.set(network, count + 1)
    let isReceiving = true
    const end = () => {
      if (!isReceiving) return
      isReceiving = false
      const left = (receiving.get(network) ?? 1) - 1
      if (left > 0) receiving.set(network, left)
      else receiving.delete(network)
    }
    finished(raw, end)
    // an answer may be sent before the body has arrived
    reply.raw.once('finish', end)
  }
  app.addHook('onRoute', (route) => {
    const hasBody =
      route.config?.access !== undefined && !['GET', 'HEAD'].includes(`${route.method}`)
    if (hasBody) route.onRequest = [route.onRequest ?? [], limit].flat()
  })
}
