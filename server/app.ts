import compress from '@fastify/compress'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
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
  answerBrokenRequest,
  asFailure,
  nothingHere,
  sendFailure,
} from '#app/shared/server/errors.ts'
import { requirePace } from '#app/shared/server/pace.ts'
import { addValidation } from '#app/shared/server/validation.ts'
import type { Schema } from '#db/schema.ts'
import { type Config, listed } from './config.ts'
import { serveDocumentation } from './documentation.ts'
import { mountDomains } from './domains.ts'

const MEBIBYTE = 1024 * 1024
/** How fast a body must come: a small one within a minute, a large one may take its time. */
const SLOWEST_PACE = { bytes: 64 * 1024, ms: 60_000 }
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
  const trustProxy = listed(config.TRUST_PROXY)
  const app = Fastify({
    logger: logger ?? { level: config.LOG_LEVEL },
    logController: quietly,
    bodyLimit: MEBIBYTE,
    // Node would cut off by size what is slow or has to wait; headers it still wants in a minute
    requestTimeout: 0,
    trustProxy: trustProxy.length > 0 && trustProxy,
    routerOptions: { maxParamLength: LONGEST_ADDRESS },
    http: { maxHeaderSize: LONGEST_ADDRESS + 16 * 1024 },
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    frameworkErrors: (error, _request, reply) => {
      sendFailure(reply, asFailure(error))
    },
    clientErrorHandler: answerBrokenRequest,
  })
  app.removeContentTypeParser('text/plain')
  app.addHook('onRequest', async ({ raw }) => requirePace(raw, SLOWEST_PACE))
  return app
}

/** Some clients name a content type although they send nothing: that is no body, not a bad one. */
function acceptEmptyJson(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parse(request, body as string, done)
  })
}

async function addPlugins(app: FastifyInstance, { config }: AppOptions) {
  await app.register(helmet, {
    contentSecurityPolicy: false,
    strictTransportSecurity: false,
    // a payment provider's dialog opens the bank's page in a window that must answer it
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    // and may want to see which site it is opened from
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  })
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

/** Assembles the API over an open database. The site is mounted on top of it by `serveSite`. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const app = createServer(options)
  addValidation(app)
  addErrorHandler(app)
  acceptEmptyJson(app)
  await addPlugins(app, options)
  await serveDocumentation(app)
  await app.register(async (api) => mountDomains(api, options))
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
