import { fork } from 'node:child_process'
import { on } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Developed } from './darkroom.ts'

const DARKROOM = fileURLToPath(new URL('./darkroom.ts', import.meta.url))

/**
 * Takes the photos of these products, by their places in `newestFirst`, each as soon as it is done.
 * Throws when one is missing, and when the signal is given.
 */
export async function* takePhotos(indexes: number[], signal?: AbortSignal) {
  const darkroom = fork(DARKROOM, indexes.map(String), { serialization: 'advanced', execArgv: [] })
  let done = 0
  try {
    const messages = on(darkroom, 'message', { close: ['disconnect'], ...(signal && { signal }) })
    for await (const [developed] of messages as AsyncIterable<[Developed]>) {
      done += 1
      yield developed
    }
  } finally {
    darkroom.kill('SIGKILL')
  }
  if (done < indexes.length) throw new Error('The photos of the demo could not be made.')
}
