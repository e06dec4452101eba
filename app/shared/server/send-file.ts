import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

const TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' }

/** Answers text as a download while it is made. `name` gets the day (UTC) and the type. */
export function sendFile(
  reply: Pick<FastifyReply, 'headers'>,
  { name, type }: { name: string; type: keyof typeof TYPES },
  text: AsyncIterable<string>,
): Readable {
  const day = new Date().toISOString().slice(0, 10)
  reply.headers({
    'content-type': TYPES[type],
    'content-disposition': `attachment; filename="${name}-${day}.${type}"`,
    'cache-control': 'no-store',
  })
  return Readable.from(text, { objectMode: false })
}
