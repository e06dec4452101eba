import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { LoadRequest } from './connection.ts'
import type { Load, Speed } from './load.ts'

/** A process of the benchmark that answers what it is told, one thing after the other. */
export type Child = {
  pid: number | undefined
  tell: (message: object) => Promise<unknown>
  stop: () => void
}

/** Starts a file that is a process by itself; it ends with whoever started it, too. */
export function startChild(file: URL): Child {
  const child = fork(file, { execArgv: process.execArgv })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The process of ${file.pathname.split('/').at(-1)} ended.`)
  })
  // it matters only to who waits for an answer
  ended.catch(() => {})
  return {
    pid: child.pid,
    async tell(message) {
      child.send(message)
      const [answer] = await Promise.race([once(child, 'message'), ended])
      return answer
    },
    stop: () => child.kill(),
  }
}

/** Asks servers from a process of its own, which is warm from the second time on. */
export function startLoad() {
  const child = startChild(new URL('load.ts', import.meta.url))
  return {
    measure: async (load: Load) => (await child.tell(load)) as Speed,
    stop: child.stop,
  }
}

export type Loader = ReturnType<typeof startLoad>

/** A server that sends what `address` answers to this, as fast as Node can. */
export async function startBareServer(told: { address: string; ask: LoadRequest }) {
  const child = startChild(new URL('bare-server.ts', import.meta.url))
  const address = String(await child.tell(told))
  return { address, pid: child.pid, stop: child.stop }
}
