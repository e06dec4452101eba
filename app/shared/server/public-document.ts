import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { setCacheTags } from './cache/cache-tags.ts'

type PublicDocument<Query> = {
  path: `/${string}`
  type: string
  /** The schema of the query. */
  query?: TSchema
  /** The data in the document: a change of it makes the document anew. */
  tags: readonly string[]
  headers?: Record<string, string>
  make: (query: Query) => Promise<string | Buffer> | string | Buffer
}

/**
 * Serves a document outside of the API, such as a sitemap, through the page cache. It is the same
 * for every visitor.
 */
export function serveDocument<Query = unknown>(
  app: FastifyInstance,
  { path, type, query, tags, headers = {}, make }: PublicDocument<Query>,
) {
  app.get(
    path,
    {
      schema: { hide: true, ...(query && { querystring: query }) },
      config: { access: 'public', isCached: true },
    },
    async (request, reply) => {
      const document = await make(request.query as Query)
      setCacheTags(request.raw, tags)
      return reply.type(type).headers(headers).send(document)
    },
  )
}
