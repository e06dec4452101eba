import { setTimeout } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'
import type { WriteLine } from './output.ts'

/**
 * Faults that raise one of these signals must end the process at once: no JavaScript may run then.
 */
const FAULTS = ['SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGSEGV'] as const
/**
 * npm forwards the Ctrl-C that the terminal has sent already, and systemd signals every process.
 */
const DUPLICATE_MS = 2000

type Options = {
  timeoutMs: number
  /** Closes everything; `signal` is undefined after an unexpected error. */
  close: (signal: NodeJS.Signals | undefined) => Promise<void>
  write: WriteLine
  onTimeout?: () => void
}

/**
 * Closes on SIGINT, SIGTERM or an unexpected error, and exits: with code 0, or 1 after an error, a
 * timeout or a second signal. A duplicate of the same signal within two seconds is ignored.
 */
export function closeOnSignal({ timeoutMs, close, write, onTimeout }: Options): void {
  let first: { signal: NodeJS.Signals; at: number } | undefined
  const grace = closeWithGrace(
    {
      delay: timeoutMs,
      skip: [...FAULTS, 'SIGUSR2', 'SIGINT', 'SIGTERM'],
      onTimeout() {
        write('error', `Shutdown took longer than ${timeoutMs} ms: open requests are cut off.`)
        onTimeout?.()
      },
    },
    async ({ err, signal }) => {
      if (err) write('error', err.stack ?? err.message)
      await close(first?.signal ?? signal)
    },
  )
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now()
    if (!first) {
      first = { signal, at: now }
      grace.close()
    } else if (now - first.at > DUPLICATE_MS) {
      write('error', 'Received a second signal: open requests are cut off.')
      process.exit(1)
    }
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
}

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
