import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

const IDLE_CHECK_MS = 100

export type Stopping = {
  isStopping: () => boolean
  /**
   * Drains: serves for so many seconds while `/readyz` answers 503, so that load balancers stop
   * sending requests; then closes the app, which waits for open requests. Meanwhile every answer
   * closes its connection.
   */
  drain: (seconds: number) => Promise<void>
}

export function stoppingOf(app: FastifyInstance): Stopping {
  let stopping = false
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) reply.header('connection', 'close')
  })
  return {
    isStopping: () => stopping,
    async drain(seconds) {
      stopping = true
      await setTimeout(seconds * 1000)
      // an answer that began before that keeps its connection open
      const timer = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS)
      await app.close().finally(() => clearInterval(timer))
    },
  }
}
