import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import type { Schema } from '#db/schema.ts'
import { openTestDatabase } from './database.ts'
import { shopOn, type TestShop } from './shop.ts'

const HANDLED = 'tracing:fastify.request.handler:start'

export type Answered = { status: number; headers: IncomingHttpHeaders; bytes: Buffer }

type Sent = { method?: string; headers?: Record<string, string | string[]> }

/** Sends a request over the network, without changing the response. */
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
  /** Sends a request through the cache. */
  ask: ReturnType<typeof askOver>
  /** The number of requests handled behind a cache in this process. */
  made: () => number
  /** The number of them during the work. */
  madeBy: (work: () => Promise<unknown>) => Promise<number>
  /** The cached entries. */
  stored: () => string[]
  close: () => Promise<void>
}

/** Starts a shop with a cache on this database; resolves when the cache is ready. */
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
  // nothing is cached before the first poll of the change feed
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
    async madeBy(work) {
      const before = made
      await work()
      return made - before
    },
    stored: () => pages.entries().map(({ key }) => key),
    async close() {
      unsubscribe(HANDLED, count)
      agent.destroy()
      await shop.app.close()
    },
  }
}

type Options = {
  settings?: Record<string, string>
  /** Extends the shop before it opens. */
  complete?: (app: FastifyInstance) => Promise<void>
  /** Fills the database before the shop opens. */
  fill?: (db: Kysely<Schema>) => Promise<unknown>
}

/** A shop with a cache on a new database for the tests of one file, and another process without a cache. */
export function testCachedShop({ settings, complete, fill = async () => {} }: Options = {}) {
  const shop = {} as CachedShop & { twin: TestShop }
  beforeAll(async () => {
    const { db, close } = await openTestDatabase()
    await fill(db)
    const cached = await cachedShopOn(db, settings, complete)
    const twin = await shopOn(db, { CACHE_MB: '0' }, complete)
    Object.assign(shop, cached, {
      twin,
      close: async () => {
        await cached.close()
        await twin.app.close().finally(close)
      },
    })
  })
  afterAll(() => shop.close())
  return shop
}
