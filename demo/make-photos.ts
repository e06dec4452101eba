import { fork } from 'node:child_process'
import { on } from 'node:events'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from '#app/shared/server/processes/child-environment.ts'
import type { RenderedPhoto } from './photo-worker.ts'

const WORKER = fileURLToPath(new URL('./photo-worker.ts', import.meta.url))

/**
 * Renders the photos of the products at these positions of `newestFirst` in a child process, and
 * yields each when it is done. Throws when one is missing, and when the signal is aborted.
 */
export async function* makePhotos(indexes: number[], signal?: AbortSignal) {
  const worker = fork(WORKER, indexes.map(String), {
    serialization: 'advanced',
    execArgv: [],
    env: childEnvironment(),
  })
  let done = 0
  try {
    const messages = on(worker, 'message', { close: ['disconnect'], ...(signal && { signal }) })
    for await (const [rendered] of messages as AsyncIterable<[RenderedPhoto]>) {
      done += 1
      yield rendered
    }
  } finally {
    worker.kill('SIGKILL')
  }
  if (done < indexes.length) throw new Error('The photos of the demo could not be made.')
}
