import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect } from 'vitest'
import { type OpenProvider, openProviders } from '#app/payments/server/context.ts'
import type { FailureBody } from '#app/shared/contract/failure.ts'
import type { Schema } from '#db/schema.ts'
import { createApp } from '#server/app.ts'
import { type Config, readConfig } from '#server/config.ts'
import { openTestDatabase } from './database.ts'
import { searchedLog } from './secrets.ts'
import { testFolder } from './test-folder.ts'

type Sent = {
  token?: string
  body?: unknown
  headers?: Record<string, string>
  /** The client's address. */
  from?: string
}

/** A response, for tests. */
export type Reply<Body> = {
  status: number
  body: Body
  headers: Record<string, string | string[] | number | undefined>
  bytes: Buffer
}

/**
 * The body of a response. The request id differs each time: it is compared with the header here, in
 * every failure of any test, and removed.
 */
function bodyOf(reply: LightMyRequestResponse) {
  if (!String(reply.headers['content-type']).includes('json')) return undefined
  const body = reply.json()
  if (reply.statusCode < 400) return body
  const { requestId, ...said } = body
  expect(requestId).toMatch(/^[\w.-]+$/)
  expect(requestId).toBe(reply.headers['x-request-id'])
  return said
}

/** Sends a request below /api/v1; the test declares the type of the body. */
type Send = <Body = FailureBody>(path: string, sent?: Sent) => Promise<Reply<Body>>

export type TestShop = {
  app: FastifyInstance
  db: Kysely<Schema>
  config: Config
  /** The provider of new payments, opened beside the shop. */
  provider: OpenProvider
  get: Send
  post: Send
  put: Send
  delete: Send
}

const sender =
  (app: FastifyInstance, method: 'GET' | 'POST' | 'PUT' | 'DELETE'): Send =>
  async <Body>(path: string, { token, body, headers, from }: Sent = {}) => {
    const reply = await app.inject({
      method,
      url: `/api/v1${path}`,
      headers: { ...headers, ...(token !== undefined && { authorization: token }) },
      ...(from !== undefined && { remoteAddress: from }),
      ...(body !== undefined && { payload: body as object }),
    })
    return {
      status: reply.statusCode,
      body: bodyOf(reply) as Body,
      headers: reply.headers,
      bytes: reply.rawPayload,
    }
  }

const USUAL = { SANDBOX_SECRET: 'test-secret', RATE_LIMIT: 'off' }
const IN_RUPEES = { CURRENCY_DISPLAY: 'INR' }
const PAYABLE = { PAYMENTS: 'sandbox' }

/** The shop on this database; `complete` may extend it before it opens. The demo's may be one without its data. */
export async function shopOn(
  db: Kysely<Schema>,
  settings: Record<string, string> = {},
  complete: (app: FastifyInstance) => Promise<void> = async () => {},
  { isDemo = false } = {},
): Promise<TestShop> {
  const payments = settings.RAZORPAY_KEY_ID ? {} : PAYABLE
  const currency = settings.CURRENCY_CHARGE ? {} : IN_RUPEES
  const config = readConfig({ ...USUAL, ...currency, ...payments, ...settings })
  const log = searchedLog()
  const app = await createApp({
    config,
    db,
    logger: log.logger,
    demo: isDemo ? { userIds: new Set() } : null,
  })
  app.addHook('onClose', async () => log.refuse())
  await complete(app)
  await app.ready()
  const [provider] = await openProviders(db, config, { log: app.log, isDemo })
  if (!provider) throw new Error('No provider is open.')
  return {
    app,
    db,
    config,
    provider,
    get: sender(app, 'GET'),
    post: sender(app, 'POST'),
    put: sender(app, 'PUT'),
    delete: sender(app, 'DELETE'),
  }
}

/**
 * A shop on a new database for the tests of one file. Its settings are the defaults, whatever the
 * environment says, and limits are off by default. Its log, at the most verbose level, is searched
 * for secrets when it closes, and its data folder is removed.
 */
export function testShop(
  settings: Record<string, string> = {},
  complete?: (app: FastifyInstance) => Promise<void>,
): TestShop {
  const DATA_DIR = testFolder()
  const shop = {} as TestShop & { close: () => Promise<void> }
  beforeAll(async () => {
    const { db, close } = await openTestDatabase()
    const opened = await shopOn(db, { DATA_DIR, ...settings }, complete)
    Object.assign(shop, opened, {
      close: async () => {
        await opened.app.close().finally(close)
      },
    })
  })
  afterAll(() => shop.close())
  return shop
}
