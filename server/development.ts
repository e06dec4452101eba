import type { FastifyInstance } from 'fastify'
import type { ServerBuild } from 'react-router'
import type { LoadBuild } from './site.ts'

/**
 * Puts Vite's middleware in front of the app: it serves the pages' modules and reloads changed
 * ones.
 */
export async function addVite(app: FastifyInstance): Promise<LoadBuild> {
  const { createServer } = await import('vite')
  const vite = await createServer({
    server: { middlewareMode: true, ws: { server: app.server } },
    appType: 'custom',
  })
  app.addHook('onRequest', (request, reply, done) => {
    vite.middlewares(request.raw, reply.raw, () => done())
  })
  app.addHook('onClose', () => vite.close())
  return () => vite.ssrLoadModule('virtual:react-router/server-build') as Promise<ServerBuild>
}
