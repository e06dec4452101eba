import type { FastifyRequest } from 'fastify'

const pages = new WeakMap<FastifyRequest, string>()

/** Remembers the pattern of the page that a request asked for. */
export const notePage = (request: FastifyRequest, pattern: string) => pages.set(request, pattern)

/**
 * The declared pattern that a request met, such as `/category/:slug`, never what it asked for: so
 * there are as many as the shop has addresses, whoever makes up others.
 */
export function routeOf(request: FastifyRequest): string {
  const { url = 'none' } = request.routeOptions
  if (url.startsWith('/assets/')) return '/assets/*'
  return pages.get(request) ?? url
}
