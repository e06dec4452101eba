import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { LoadRequest } from './connection.ts'
import type { Load, Speed } from './load.ts'

/** A child process that answers messages, one after the other. */
export type Child = {
  pid: number | undefined
  tell: (message: object) => Promise<unknown>
  stop: () => void
}

/** Starts a file as a child process, which ends with its parent. */
export function startChild(file: URL): Child {
  const child = fork(file, { execArgv: process.execArgv })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The process of ${file.pathname.split('/').at(-1)} ended.`)
  })
  // a failure is reported to the pending request
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

/** Sends load from a child process, which is warm after the first run. */
export function startLoad() {
  const child = startChild(new URL('load.ts', import.meta.url))
  return {
    measure: async (load: Load) => (await child.tell(load)) as Speed,
    stop: child.stop,
  }
}

export type Loader = ReturnType<typeof startLoad>

/** A server that sends the answer of `address` as fast as Node can. */
export async function startBareServer(told: { address: string; ask: LoadRequest }) {
  const child = startChild(new URL('bare-server.ts', import.meta.url))
  const address = String(await child.tell(told))
  return { address, pid: child.pid, stop: child.stop }
}
