import closeWithGrace from 'close-with-grace'
import type { WriteLine } from './write-line.ts'

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
