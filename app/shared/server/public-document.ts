import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { setCacheTags } from './cache/cache-tags.ts'

export type PublicDocument = {
  path: `/${string}`
  type: string
  /** The schema of the query. */
  query?: TSchema
  /** The data in the document: a change of it makes the document anew. */
  tags: readonly string[]
  headers?: Record<string, string>
  make: (query: Record<string, string | undefined>) => Promise<string | Buffer> | string | Buffer
}

/**
 * Serves a document outside of the API, such as a sitemap, through the page cache. It is the same
 * for every visitor.
 */
export function serveDocument(
  app: FastifyInstance,
  { path, type, query, tags, headers = {}, make }: PublicDocument,
) {
  app.get<{ Querystring: Record<string, string | undefined> }>(
    path,
    {
      schema: { hide: true, ...(query && { querystring: query }) },
      config: { access: 'public', cost: 'page', isCached: true },
    },
    async (request, reply) => {
      const document = await make(request.query)
      setCacheTags(request.raw, tags)
      return reply.type(type).headers(headers).send(document)
    },
  )
}
