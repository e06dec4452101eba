import { once } from 'node:events'
import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Meters, MetricsText } from './metrics.ts'
import { INTERNAL_ADDRESS, routeOf } from './requests.ts'
import { listenError } from './require-port.ts'

const MS = 1000

/** Counts every client's request; the internal requests of a page are part of it. */
export function countRequests(app: FastifyInstance, { answered }: Meters) {
  app.addHook('onResponse', async (request, reply) => {
    if (request.socket.remoteAddress === INTERNAL_ADDRESS) return
    const { method } = request
    const facts = { method, route: routeOf(request), status: reply.statusCode }
    answered(facts, reply.elapsedTime / MS)
  })
}

type At = { METRICS_HOST: string; METRICS_PORT: number }

/**
 * Serves the metrics on a separate port, which customers cannot reach. Returns the address, a
 * startup message, and a function that closes it. Throws a user-readable message when it cannot
 * listen on the port.
 */
export async function serveMetrics(
  { METRICS_HOST, METRICS_PORT }: At,
  { type, text }: MetricsText,
) {
  const server = createServer(async ({ url, method }, reply) => {
    if (url !== '/metrics' || method !== 'GET') return reply.writeHead(404).end()
    const body = await text().catch(() => undefined)
    if (body === undefined) return reply.writeHead(500).end()
    reply.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
  })
  try {
    server.listen(METRICS_PORT, METRICS_HOST)
    await once(server, 'listening')
  } catch (error) {
    throw listenError(`METRICS_PORT ${METRICS_PORT}`, error)
  }
  const address = server.address()
  const close = async () => {
    server.close()
    server.closeAllConnections()
  }
  const port = typeof address === 'object' && address ? address.port : METRICS_PORT
  const at = `http://${METRICS_HOST}:${port}/metrics`
  return { address: at, line: `Metrics are at ${at}`, close }
}
