/** What every public answer says of itself, whether it is kept or not. */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasETag } from './request-facts.ts'

/**
 * A browser asks each time whether it changed, which costs a few bytes; what stands in front of
 * several visitors asks once a second.
 */
export const REVALIDATE = 'public, max-age=0, s-maxage=1, must-revalidate'

/** By which a client asks whether it has the same: weak, for it stands for every encoding of it. */
export const etagOf = (bytes: Buffer | string) =>
  `W/"${createHash('sha256').update(bytes).digest('base64url')}"`

const isPublic = ({ method, routeOptions: { config, url } }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') && (config?.access === 'public' || url === '/*')

const saysNothing = (reply: FastifyReply) =>
  reply.statusCode === 200 && !reply.hasHeader('cache-control') && !reply.hasHeader('set-cookie')

/** Gives public answers their validators, and tells who has one already only that. */
export function addValidators(app: FastifyInstance) {
  app.addHook('onSend', async (request, reply, payload) => {
    const isWhole = typeof payload === 'string' || payload instanceof Buffer
    if (!isWhole || !isPublic(request) || !saysNothing(reply)) return payload
    const etag = etagOf(payload)
    reply.header('cache-control', REVALIDATE).header('etag', etag)
    if (!hasETag(etag, request.raw)) return payload
    reply.code(304).removeHeader('content-length')
    return null
  })
}
