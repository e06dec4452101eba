import type { FastifyRequest } from 'fastify'

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
