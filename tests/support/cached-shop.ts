import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Schema } from '#db/schema.ts'
import { shopOn, type TestShop } from './shop.ts'

const HANDLED = 'tracing:fastify.request.handler:start'

export type Answered = { status: number; headers: IncomingHttpHeaders; bytes: Buffer }

type Sent = { method?: string; headers?: Record<string, string | string[]> }

/** Asks over the network, and changes nothing of what comes. */
export const askOver =
  (address: string, agent: Agent) =>
  (path: string, { method = 'GET', headers = {} }: Sent = {}) =>
    new Promise<Answered>((resolve, reject) => {
      request(address + path, { agent, method, headers }, async (answer) => {
        const { statusCode: status = 0 } = answer
        resolve({ status, headers: answer.headers, bytes: await buffer(answer) })
      })
        .once('error', reject)
        .end()
    })

export type CachedShop = TestShop & {
  address: string
  /** Asks at the door that visitors come through, where the cache stands. */
  ask: ReturnType<typeof askOver>
  /** How many requests were handled behind a cache, in this process, since it is open. */
  made: () => number
  /** All that is kept. */
  stored: () => string[]
  close: () => Promise<void>
}

/** A shop on this database that listens, with its cache in front; open when the cache is. */
export async function cachedShopOn(
  db: Kysely<Schema>,
  settings: Record<string, string> = {},
  complete?: (app: FastifyInstance) => Promise<void>,
): Promise<CachedShop> {
  const shop = await shopOn(db, settings, complete)
  const { pages } = shop.app
  if (!pages) throw new Error('This shop has no cache.')
  const address = await shop.app.listen({ port: 0, host: '127.0.0.1' })
  const agent = new Agent({ keepAlive: true })
  const ask = askOver(address, agent)
  // until it has looked into the database, it keeps nothing
  while (pages.entries().length === 0) await ask('/api/v1/category/get-category')
  let made = 0
  const count = () => {
    made += 1
  }
  subscribe(HANDLED, count)
  return {
    ...shop,
    address,
    ask,
    made: () => made,
    stored: () => pages.entries().map(({ key }) => key),
    async close() {
      unsubscribe(HANDLED, count)
      agent.destroy()
      await shop.app.close()
    },
  }
}
