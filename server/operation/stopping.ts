import type { Server, ServerResponse } from 'node:http'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

const LOOK_MS = 20
/** When nobody came for so long, those who send customers here have heard that it stops. */
const CALM_MS = 300
/** Some never hear: they are not waited for any longer than this. */
const LONGEST_CALM_MS = 3000
/** A turn of the event loop in which nobody had to be served takes less. */
const QUIET_TURN_MS = 0.3
const LONGEST_QUIET_MS = 200
/** A connection that was just made may still send its first request. */
const LAST_WORD_MS = 100

export type Stopping = {
  isStopping: () => boolean
  /** Waits for this answer, too, which is given past the framework. */
  waitFor: (response: ServerResponse) => void
  /**
   * Serves everybody for so many seconds and until nobody comes, then lets nobody in any more, and
   * waits for the requests that are under way.
   */
  drain: (seconds: number) => Promise<void>
}

/**
 * Who stands at the door when it is shut is cut off: the system has taken the connection, and we
 * have not. So it is shut in a quiet moment, right after all were let in.
 */
async function quietMoment() {
  const last = performance.now() + LONGEST_QUIET_MS
  for (let began = performance.now(); began < last; ) {
    await setImmediate()
    const turned = performance.now()
    if (turned - began < QUIET_TURN_MS) return
    began = turned
  }
}

/** Lets nobody in any more; connections that nobody uses are ended. */
async function shut(server: Server) {
  await quietMoment()
  if (server.listening) server.close()
}

/**
 * How the shop stops without cutting anybody off. A proxy that keeps connections may use one at
 * the very moment that we end it; so for a while everything is answered as ever, but each answer
 * ends its connection. `/readyz` tells meanwhile that nobody should come any more. What is left
 * then are connections that nobody uses.
 */
export function stoppingOf(app: FastifyInstance): Stopping {
  let stopping = false
  let underWay = 0
  let lastCame = 0
  const waitFor = (response: ServerResponse) => {
    underWay += 1
    response.once('close', () => {
      underWay -= 1
    })
  }
  app.addHook('onRequest', async ({ url }, reply) => {
    // who only looks whether it stops brings nobody
    if (url !== '/readyz') lastCame = performance.now()
    waitFor(reply.raw)
  })
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) reply.header('connection', 'close')
  })
  const whenCalm = async () => {
    const last = performance.now() + LONGEST_CALM_MS
    const isCalm = () => performance.now() > Math.min(last, lastCame + CALM_MS)
    while (!isCalm()) await setTimeout(LOOK_MS)
  }
  const whenAnswered = async () => {
    while (underWay > 0) await setTimeout(LOOK_MS)
  }
  return {
    isStopping: () => stopping,
    waitFor,
    drain: async (seconds) => {
      stopping = true
      await setTimeout(seconds * 1000)
      if (seconds > 0) await whenCalm()
      await shut(app.server)
      await setTimeout(LAST_WORD_MS)
      await whenAnswered()
      app.server.closeAllConnections()
    },
  }
}
