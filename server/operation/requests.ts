import { randomUUID } from 'node:crypto'
import type { FastifyRequest, RawRequestDefaultExpression } from 'fastify'

const HEADER = 'x-request-id'

/** Short, and without characters that are special in a log, page or terminal. */
const SAFE = /^[\w.-]{1,64}$/

/** The peer address of internal requests; no socket has it. */
export const INTERNAL_ADDRESS = 'inside'

/** Creates the id of a request: that of a trusted proxy or of the renderer, else a new one. */
export const requestIds =
  (isTrusted: (address: string | undefined) => boolean) =>
  ({ headers, socket }: RawRequestDefaultExpression): string => {
    const sent = headers[HEADER]
    if (typeof sent !== 'string' || !SAFE.test(sent)) return randomUUID()
    const isOurs = socket.remoteAddress === INTERNAL_ADDRESS || isTrusted(socket.remoteAddress)
    return isOurs ? sent : randomUUID()
  }

/** The header that tells a client the id of its request. */
export const requestIdHeader = (id: string) => ({ [HEADER]: id })

const pages = new WeakMap<FastifyRequest, string>()

/** Stores the route pattern of a page's request. */
export const notePage = (request: FastifyRequest, pattern: string) => pages.set(request, pattern)

/**
 * The route pattern of a request, such as `/category/:slug`, never its URL: so the number of labels
 * is bounded.
 */
export function routeOf(request: FastifyRequest): string {
  const { url = 'none' } = request.routeOptions
  if (url.startsWith('/assets/')) return '/assets/*'
  return pages.get(request) ?? url
}
