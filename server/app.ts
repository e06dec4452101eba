import compress from '@fastify/compress'
import cors from '@fastify/cors'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { Kysely } from 'kysely'
import {
  addErrorHandler,
  answerBrokenRequests,
  asFailure,
  nothingHere,
  sendFailure,
} from '#app/shared/server/errors.ts'
import { acceptJson } from '#app/shared/server/json/accept-json.ts'
import { redisTally } from '#app/shared/server/limits/redis-tally.ts'
import { memoryTally, noTally, type Tally } from '#app/shared/server/limits/tally.ts'
import { addValidation } from '#app/shared/server/validation.ts'
import type { Schema } from '#db/schema.ts'
import { type Config, listed } from './config.ts'
import { serveDocumentation } from './documentation.ts'
import { mountDomains } from './domains.ts'
import { headersOf, tlsHeadersOf } from './headers.ts'
import { serveHealth } from './operation/health.ts'
import { type Observers, observe } from './operation/observe.ts'
import { INSIDE, requestIds, tellRequestId } from './operation/request-id.ts'
import { logOptions, oneLineEach } from './operation/request-log.ts'
import { type Stopping, stoppingOf } from './operation/stopping.ts'
import { trustedPeers } from './operation/trusted-peers.ts'

const MEBIBYTE = 1024 * 1024
/** Headers and body must have arrived by then. */
const SLOWEST_REQUEST_MS = 60_000
/** A search word of 5,000 emoji is an address of 60,000 characters. */
export const LONGEST_ADDRESS = 100_000

export type AppOptions = {
  config: Config
  db: Kysely<Schema>
  logger?: FastifyServerOptions['logger']
} & Observers

declare module 'fastify' {
  interface FastifyInstance {
    /** How it stops without cutting anybody off. */
    stopping: Stopping
  }
}

function createServer({ config, logger }: AppOptions) {
  const always = headersOf(config)
  const isTrusted = trustedPeers(listed(config.TRUST_PROXY))
  const app = Fastify({
    logger: logger ?? logOptions(config.LOG_LEVEL),
    logController: oneLineEach,
    genReqId: requestIds(isTrusted),
    // whoever still comes while it closes is served: see operation/stopping.ts
    return503OnClosing: false,
    bodyLimit: MEBIBYTE,
    requestTimeout: SLOWEST_REQUEST_MS,
    trustProxy: (address) => address === INSIDE || isTrusted(address),
    routerOptions: { maxParamLength: LONGEST_ADDRESS },
    http: { maxHeaderSize: LONGEST_ADDRESS + 16 * 1024 },
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    frameworkErrors: (error, request, reply) => {
      sendFailure(reply.headers(always).headers(tlsHeadersOf(request)), asFailure(error))
    },
    clientErrorHandler: answerBrokenRequests(always),
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(always).headers(tlsHeadersOf(request))
    done()
  })
  app.removeContentTypeParser('text/plain')
  return app
}

async function addPlugins(app: FastifyInstance, { config }: AppOptions) {
  await app.register(compress, { encodings: ['br', 'gzip'] })
  const origins = listed(config.CORS_ORIGINS)
  if (origins.length > 0) {
    await app.register(cors, {
      origin: origins,
      methods: ['GET', 'POST', 'PUT', 'DELETE'],
      allowedHeaders: ['Authorization', 'Content-Type', 'X-XSRF-TOKEN'],
      exposedHeaders: ['X-Total-Count', 'Link'],
      strictPreflight: false,
    })
  }
}

/** What limits are counted with. */
async function openTally(app: FastifyInstance, { RATE_LIMIT, REDIS_URL }: Config): Promise<Tally> {
  if (RATE_LIMIT === 'off') return noTally
  if (!REDIS_URL) return memoryTally()
  const { tally, close } = await redisTally(REDIS_URL, app.log)
  app.addHook('onClose', async () => close())
  return tally
}

/** Assembles the API over an open database. The site is mounted on top of it by `serveSite`. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const app = createServer(options)
  const stopping = stoppingOf(app)
  app.decorate('stopping', stopping)
  tellRequestId(app)
  observe(app, options)
  addValidation(app)
  addErrorHandler(app)
  acceptJson(app)
  await addPlugins(app, options)
  await serveDocumentation(app)
  serveHealth(app, { db: options.db, isStopping: stopping.isStopping })
  const tally = await openTally(app, options.config)
  await app.register(async (api) => mountDomains(api, options, tally))
  app.setNotFoundHandler((_request, reply) => sendFailure(reply, nothingHere()))
  app.all('/api/*', {
    schema: { hide: true },
    // before the body is read, which nobody waits for
    onRequest: async () => {
      throw nothingHere()
    },
    handler: async () => undefined,
  })
  return app
}
