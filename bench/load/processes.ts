import { type ForkOptions, fork } from 'node:child_process'
import { once } from 'node:events'
import { ARENAS, FLAGS } from '#bin/process-flags.ts'
import type { Load, LoadRequest, Speed } from './load.ts'

/** A process of the benchmark that answers one message after the other. */
export type Child = {
  pid: number | undefined
  send: (message: object) => Promise<unknown>
  stop: () => void
}

/** Runs a file as a process, which ends with its parent; with the parent's flags by default. */
export function startChild(file: URL, options: ForkOptions = {}): Child {
  const child = fork(file, { execArgv: process.execArgv, ...options })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The process of ${file.pathname.split('/').at(-1)} ended.`)
  })
  // only a pending answer fails with it
  ended.catch(() => {})
  return {
    pid: child.pid,
    async send(message) {
      child.send(message)
      const [answer] = await Promise.race([once(child, 'message'), ended])
      return answer
    },
    stop: () => child.kill(),
  }
}

/** Starts the load generator. */
export function startLoad() {
  const child = startChild(new URL('generator.ts', import.meta.url))
  return {
    measure: async (load: Load) => (await child.send(load)) as Speed,
    stop: child.stop,
  }
}

export type Loader = ReturnType<typeof startLoad>

/**
 * Starts a server that sends what `address` answers to `request`, with `node:http` alone, in a process with the
 * limits of memory that the shop has.
 */
export async function startBareServer(source: { address: string; request: LoadRequest }) {
  const child = startChild(new URL('bare-server.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning', ...FLAGS],
    env: { ...process.env, MALLOC_ARENA_MAX: ARENAS },
  })
  const address = String(await child.send(source))
  return { address, pid: child.pid, stop: child.stop }
}
