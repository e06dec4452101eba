import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { DOCUMENTATION_POLICY } from './headers.ts'

/** Prints the mounted contracts as OpenAPI 3.1 at /api/docs/json, and browsable at /api/docs. */
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
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: DOCUMENTATION_POLICY })
}
