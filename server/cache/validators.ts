/** Validators (ETag, Cache-Control) of public answers, cached or not. */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isOpen } from '#app/shared/contract/access.ts'
import { hasETag } from './request-facts.ts'

/** Browsers revalidate at each use, which costs a few bytes; shared caches once a second. */
const REVALIDATE = 'public, max-age=0, s-maxage=1, must-revalidate'

/** A weak ETag, because it is the same for every encoding. */
const etagOf = (bytes: Buffer | string) =>
  `W/"${createHash('sha256').update(bytes).digest('base64url')}"`

const isPublic = ({ method, routeOptions: { config, url } }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') &&
  ((config?.access && isOpen(config.access)) || url === '/*')

/**
 * Adds the validators to public answers that they lack, and answers 304 to clients that have the same.
 */
export function addValidators(app: FastifyInstance) {
  app.addHook('onSend', async (request, reply, payload) => {
    const isWhole = typeof payload === 'string' || payload instanceof Buffer
    if (!isWhole || !isPublic(request) || reply.statusCode !== 200) return payload
    const { 'cache-control': control = REVALIDATE, etag = etagOf(payload) } = reply.getHeaders()
    if (reply.hasHeader('set-cookie') || control === 'no-store') return payload
    reply.headers({ 'cache-control': control, etag })
    if (!hasETag(String(etag), request.raw)) return payload
    reply.code(304).removeHeader('content-length')
    return null
  })
}
