import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

const TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' }

/** During a long download the caller is checked again this often. */
const RECHECK_MS = 5000

async function* whileAllowed(text: AsyncIterable<string>, recheckCaller: () => Promise<void>) {
  let checkedAt = performance.now()
  for await (const part of text) {
    if (performance.now() - checkedAt > RECHECK_MS) {
      await recheckCaller()
      checkedAt = performance.now()
    }
    yield part
  }
}

/**
 * Streams text as a download. `name` is extended by the day (UTC) and the file type. The download
 * breaks off when the caller has lost access.
 */
export function sendFile(
  reply: Pick<FastifyReply, 'headers'>,
  { name, type }: { name: string; type: keyof typeof TYPES },
  text: AsyncIterable<string>,
  recheckCaller: () => Promise<void>,
): Readable {
  const day = new Date().toISOString().slice(0, 10)
  reply.headers({
    'content-type': TYPES[type],
    'content-disposition': `attachment; filename="${name}-${day}.${type}"`,
    'cache-control': 'no-store',
  })
  return Readable.from(whileAllowed(text, recheckCaller), { objectMode: false })
}
