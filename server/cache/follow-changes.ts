import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Schema } from '#db/schema.ts'
import { type Changes, type Hearer, watchChanges } from './changes.ts'

/** A long answer tells of its work as it goes on: its last words wait until the work is heard of. */
async function* beforeItsEnd(answer: Readable, catchUp: () => Promise<void>) {
  for await (const words of answer) {
    if ('writableEnded' in answer && answer.writableEnded) await catchUp()
    yield words
  }
}

/**
 * Lets the hearer know of every change while the app listens. Of what an admin does here it has
 * heard before the admin is answered.
 */
export function followChanges(app: FastifyInstance, db: Kysely<Schema>, hearer: Hearer) {
  let changes: Changes | undefined
  // a look that fails has told the hearer so
  const catchUp = async () => changes?.catchUp().catch(() => {})
  app.addHook('onListen', async () => {
    changes = watchChanges(db, hearer, app.log)
  })
  app.addHook('onClose', async () => changes?.close())
  app.addHook('onSend', async ({ method, routeOptions }, _reply, payload: unknown) => {
    if (routeOptions.config?.access !== 'admin' || method === 'GET') return payload
    if (payload instanceof Readable) return Readable.from(beforeItsEnd(payload, catchUp))
    await catchUp()
    return payload
  })
}
