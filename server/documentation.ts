import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import { limiterOf } from '#app/shared/server/limits/limits.ts'
import { DOCUMENTATION_POLICY } from './headers.ts'

const PATH = '/api/docs'

/**
 * Serves the mounted contracts as OpenAPI 3.1 at /api/docs/json, and a browser for it at /api/docs.
 */
export async function serveDocumentation(app: FastifyInstance, counters: CounterStore) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Haat', description: 'The API of the shop', version: '1' },
      components: {
        securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Authorization' } },
      },
    },
  })
  const limits = [{ by: 'address' as const, most: 300, seconds: 60 }]
  const limiter = limiterOf(counters, { method: 'GET', path: PATH, limits })
  await app.register(async (scope) => {
    scope.addHook('onRequest', limiter.byAddress)
    await scope.register(swaggerUi, { routePrefix: PATH, staticCSP: DOCUMENTATION_POLICY })
  })
}
