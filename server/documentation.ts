import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { DOCUMENTATION_POLICY } from './headers.ts'

const PATH = '/api/docs'

/**
 * Serves the mounted contracts as OpenAPI 3.1 at /api/docs/json, and a browser for it at /api/docs.
 */
export async function serveDocumentation(app: FastifyInstance) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Haat', description: 'The API of the shop', version: '1' },
      components: {
        securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Authorization' } },
      },
    },
  })
  await app.register(async (scope) => {
    // limited like pages
    scope.addHook('onRequest', (request, reply) => app.limitPages(request, reply))
    await scope.register(swaggerUi, { routePrefix: PATH, staticCSP: DOCUMENTATION_POLICY })
  })
}
