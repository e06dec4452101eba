import compress from '@fastify/compress'
import cors from '@fastify/cors'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import type { Kysely } from 'kysely'
import {
  addErrorHandler,
  answerBrokenRequests,
  asFailure,
  nothingHere,
  sendFailure,
} from '#app/shared/server/errors.ts'
import { invalid } from '#app/shared/server/failure.ts'
import { isTooDeep } from '#app/shared/server/json-depth.ts'
import { redisTally } from '#app/shared/server/limits/redis-tally.ts'
import { memoryTally, noTally, type Tally } from '#app/shared/server/limits/tally.ts'
import { addValidation, isPoisoned } from '#app/shared/server/validation.ts'
import type { Schema } from '#db/schema.ts'
import { type Config, listed } from './config.ts'
import { serveDocumentation } from './documentation.ts'
import { mountDomains } from './domains.ts'
import { headersOf, tlsHeadersOf } from './headers.ts'

const MEBIBYTE = 1024 * 1024
/** Headers and body must have arrived by then. */
const SLOWEST_REQUEST_MS = 60_000
/** A search word of 5,000 emoji is an address of 60,000 characters. */
export const LONGEST_ADDRESS = 100_000

export type AppOptions = {
  config: Config
  db: Kysely<Schema>
  logger?: FastifyServerOptions['logger']
}

/** Requests are not logged one by one, only what goes wrong with them. */
const quietly = Object.assign(new LogController(), {
  incomingRequest() {},
  routeNotFound() {},
  requestCompleted(error: Error | null | undefined, _request: FastifyRequest, reply: FastifyReply) {
    if (error) reply.log.error({ err: error }, 'request failed')
  },
})

function createServer({ config, logger }: AppOptions) {
  const always = headersOf(config)
  const trustProxy = listed(config.TRUST_PROXY)
  const app = Fastify({
    logger: logger ?? { level: config.LOG_LEVEL },
    logController: quietly,
    bodyLimit: MEBIBYTE,
    requestTimeout: SLOWEST_REQUEST_MS,
    trustProxy: trustProxy.length > 0 && trustProxy,
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

/**
 * Some clients name a content type although they send nothing: that is no body, not a bad one.
 * What is nested too deeply is not even parsed.
 */
function acceptJson(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    if (text === '') return done(null, undefined)
    if (isTooDeep(text)) return done(invalid('The body is nested too deeply.'))
    parse(request, text, (error, parsed) => {
      if (!error && isPoisoned(text, parsed))
        done(invalid('The body has a key that is not allowed.'))
      else done(error, parsed)
    })
  })
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
  addValidation(app)
  addErrorHandler(app)
  acceptJson(app)
  await addPlugins(app, options)
  await serveDocumentation(app)
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
