import compress from '@fastify/compress'
import cors from '@fastify/cors'
import Fastify, {
  type FastifyInstance,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import type { Kysely } from 'kysely'
import { auditedRows, modules, personalData } from '#app/modules.ts'
import type { OpenedModule } from '#app/shared/server/domain-module.ts'
import { addErrorHandler, asFailure, sendFailure } from '#app/shared/server/errors.ts'
import { noSuchAddress } from '#app/shared/server/failure.ts'
import { acceptJson } from '#app/shared/server/input/accept-json.ts'
import { addValidation } from '#app/shared/server/input/validation.ts'
import {
  type CounterStore,
  databaseCounters,
  memoryCounters,
  noCounters,
  redisCounters,
} from '#app/shared/server/limits/counters.ts'
import { mount } from '#app/shared/server/mount.ts'
import type { Schema } from '#db/schema.ts'
import { type CanonicalUrls, declareCalls, openCanonicalUrls } from './cache/canonical-url.ts'
import { keepIn } from './cache/memory-cache.ts'
import { openPageCache, type PageCache, type RequestHandler } from './cache/page-cache.ts'
import { type CallForPage, openPageCalls } from './cache/page-calls.ts'
import { addValidators } from './cache/validators.ts'
import { type Config, listed } from './config.ts'
import {
  clientErrors,
  readableAddress,
  refuseUnsupportedRequests,
} from './connections/client-errors.ts'
import {
  CONNECTIONS,
  type ConnectionLimits,
  limitLargeBodies,
  MAX_URL_LENGTH,
  openServer,
} from './connections/connections.ts'
import { type Admit, limitRendering, type RenderHook } from './connections/render-limits.ts'
import { isForwarded } from './demo/real-shop.ts'
import { refuseForwardedLogIns, refusingForwarded } from './demo/restrict-demo-login.ts'
import { serveDocumentation } from './documentation.ts'
import { followStoredSettings } from './follow-stored-settings.ts'
import { headersOf, hstsOf } from './headers.ts'
import { serveHealth } from './operation/health.ts'
import type { Meters } from './operation/metrics.ts'
import { logOptions, oneLineEach } from './operation/request-log.ts'
import { requestIdHeader, requestIds } from './operation/requests.ts'
import { countRequests } from './operation/serve-metrics.ts'
import { type Stopping, stoppingOf } from './operation/shutdown.ts'
import type { Tracing } from './operation/tracing.ts'
import { forwards, trustedProxies, warnOfUntrustedProxy } from './operation/trusted-proxies.ts'
import { type OpenedSettings, openStoredSettings } from './stored-settings.ts'

const MEBIBYTE = 1024 * 1024
/** The limit of a JSON body in bytes: a cart is sent as whole products, with their descriptions. */
const MAX_BODY_BYTES = MEBIBYTE

/** Response headers exposed to other origins, besides the safelisted ones. */
const EXPOSED = [
  'X-Total-Count',
  'Link',
  'X-Request-Id',
  'Retry-After',
  'ETag',
  'Content-Disposition',
  'Location',
]

export type AppOptions = {
  config: Config
  db: Kysely<Schema>
  logger?: FastifyServerOptions['logger']
  /** Connection limits that differ from the defaults, for tests. */
  connections?: Partial<ConnectionLimits>
  /** The accounts of the demo, if there is one: they are for this machine only. */
  demo?: { userIds: ReadonlySet<string> } | null
  meters?: Meters | undefined
  tracing?: Tracing | undefined
  /** The stored settings, whose `config` is that of the app; opened here by default. */
  stored?: OpenedSettings | undefined
}

type OpenOptions = AppOptions & { stored: OpenedSettings }

declare module 'fastify' {
  interface FastifyInstance {
    /** Draining: stops without interrupting requests. */
    stopping: Stopping
    /** Canonical URLs of every cacheable answer. */
    canonicalUrls: CanonicalUrls
    /** The opened domain modules. */
    modules: OpenedModule[]
    /** Limits how many pages are rendered per network. */
    limitPages: RenderHook
    /** The page cache, where it is enabled. */
    pages?: PageCache
    /** Makes the calls of pages that are being rendered. */
    callForPage: CallForPage
  }
}

function createServer({ config, logger, connections, stored }: OpenOptions) {
  const always = headersOf(config)
  stored.onChange(() => Object.assign(always, headersOf(config)))
  const hsts = hstsOf(config)
  const headersFor = (request: FastifyRequest) => ({
    ...always,
    ...(request.protocol === 'https' && hsts),
    ...requestIdHeader(request.id),
  })
  const isTrusted = trustedProxies(listed(config.TRUST_PROXY))
  const isExempt = config.RATE_LIMIT === 'off' ? () => true : isTrusted
  const errors = clientErrors(always, () => app.log)
  // without a cache, the framework handles every request
  const handler: { answer: RequestHandler } = {
    answer: (request, response, handle) => handle(request, response),
  }
  const app: FastifyInstance = Fastify({
    serverFactory: (handle) =>
      openServer({ ...CONNECTIONS, ...connections }, isExempt, (request, response) => {
        errors.track(request, response)
        handler.answer(request, response, handle)
      }),
    logger: logger ?? logOptions(config.LOG_LEVEL),
    logController: oneLineEach,
    genReqId: requestIds(isTrusted),
    // requests are served until the connections are closed: see operation/shutdown.ts
    return503OnClosing: false,
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: forwards(isTrusted),
    rewriteUrl: readableAddress,
    routerOptions: { maxParamLength: MAX_URL_LENGTH },
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    frameworkErrors: (error, request, reply) => {
      sendFailure(reply.headers(headersFor(request)), asFailure(error))
    },
    clientErrorHandler: errors.handle,
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersFor(request))
    done()
  })
  refuseUnsupportedRequests(app)
  app.removeContentTypeParser('text/plain')
  warnOfUntrustedProxy(app, isTrusted)
  return { app, handler, isTrusted }
}

/** Puts the cache in front of the app; a demo shows forwarded requests other pages, without its login. */
function addCache(
  { app, handler, isTrusted }: ReturnType<typeof createServer>,
  { config, db, demo, meters }: AppOptions,
  opened: { urls: CanonicalUrls; stopping: Stopping; admit: Admit },
) {
  const origins = listed(config.CORS_ORIGINS)
  const cache = openPageCache(app, {
    ...opened,
    db,
    isTrusted,
    meters,
    idOf: requestIds(isTrusted),
    maxBytes: config.CACHE_MB * MEBIBYTE,
    // with *, every answer has the header
    origins: new Set(origins.includes('*') ? [] : origins),
    hsts: hstsOf(config),
  })
  handler.answer = (request, response, handle) =>
    demo && isForwarded(request)
      ? handle(request, response)
      : cache.answer(request, response, handle)
  app.decorate('pages', cache)
}

async function addPlugins(app: FastifyInstance, { config }: AppOptions) {
  await app.register(compress, { encodings: ['br', 'gzip'], globalDecompression: false })
  const origins = listed(config.CORS_ORIGINS)
  if (origins.length > 0) {
    await app.register(cors, {
      origin: origins,
      methods: ['GET', 'POST', 'PUT', 'DELETE'],
      allowedHeaders: ['Authorization', 'Content-Type', 'X-XSRF-TOKEN'],
      exposedHeaders: EXPOSED,
      strictPreflight: false,
    })
  }
}

/** Opens the counters of limits: shared ones where several processes may serve the shop. */
async function openCounters(
  app: FastifyInstance,
  { config, db }: AppOptions,
): Promise<CounterStore> {
  if (config.RATE_LIMIT === 'off') return noCounters
  if (!config.REDIS_URL && !config.DATABASE_URL) return memoryCounters()
  if (!config.REDIS_URL) return databaseCounters(db)
  const { counters, close } = await redisCounters(config.REDIS_URL, app.log)
  app.addHook('onClose', async () => close())
  return counters
}

const openModules = (
  { log, pages }: FastifyInstance,
  { config, db, demo, tracing, stored }: OpenOptions,
  counters: CounterStore,
): Promise<OpenedModule[]> =>
  Promise.all(
    modules.map(({ open }) =>
      open({
        db,
        settings: config,
        counters,
        log,
        isDemo: Boolean(demo),
        // the doctor is loaded when it is first called
        examine: async () =>
          (await import('./doctor/examine.ts')).examineRunningShop(stored.environment, db),
        stored,
        personalData,
        trace: tracing?.work,
        keep: pages ? keepIn(pages.values, pages.catchUp) : (_key, _tags, make) => make(),
        auditedRows,
      }),
    ),
  )

/** Mounts the contracts of every module. In forwarded requests, sessions of the demo's users are unknown. */
function mountModules(api: FastifyInstance, { demo }: AppOptions, counters: CounterStore) {
  const identify = api.modules.find(({ identify }) => identify)?.identify
  if (!identify) throw new Error('No module resolves session tokens.')
  const identifyHere = demo ? refusingForwarded(identify, demo.userIds) : identify
  for (const { calls, addRoutes } of api.modules) {
    for (const served of calls) mount(api, served, identifyHere, counters)
    addRoutes?.(api)
  }
}

/** Assembles the API over an open database. The site is mounted on top of it by `serveSite`. */
export async function createApp(given: AppOptions): Promise<FastifyInstance> {
  const stored = given.stored ?? (await openStoredSettings(given.config, given.db))
  const options: OpenOptions = { ...given, config: stored.config, stored }
  const server = createServer(options)
  const { app } = server
  const stopping = stoppingOf(app)
  const urls = openCanonicalUrls()
  declareCalls(
    app,
    urls,
    modules.flatMap(({ cacheKeys = [] }) => cacheKeys),
  )
  const counters = await openCounters(app, options)
  const { limitPages, admit } = limitRendering(app, counters, !options.config.DATABASE_URL)
  app.decorate('stopping', stopping).decorate('canonicalUrls', urls)
  app.decorate('limitPages', limitPages)
  if (options.config.CACHE_MB > 0) addCache(server, options, { urls, stopping, admit })
  if (options.meters) countRequests(app, options.meters)
  options.tracing?.requests(app, server.isTrusted)
  const schemas = addValidation(app)
  addErrorHandler(app)
  acceptJson(app)
  // hashes the body before it is compressed
  addValidators(app)
  await addPlugins(app, options)
  await serveDocumentation(app)
  serveHealth(app, { db: options.db, isStopping: stopping.isStopping })
  const opened = await openModules(app, options, counters)
  const callForPage = openPageCalls(
    opened.flatMap(({ calls }) => calls),
    { counters, schemas, trace: options.tracing?.work, urls, values: app.pages?.values },
  )
  app.decorate('modules', opened).decorate('callForPage', callForPage)
  followStoredSettings(app, options)
  if (options.demo) refuseForwardedLogIns(app)
  if (options.config.RATE_LIMIT === 'on') limitLargeBodies(app)
  await app.register(async (api) => mountModules(api, options, counters))
  app.setNotFoundHandler((_request, reply) => sendFailure(reply, noSuchAddress()))
  app.all('/api/*', {
    schema: { hide: true },
    // before the body is read
    onRequest: async (request, reply) => {
      await limitPages(request, reply)
      throw noSuchAddress()
    },
    handler: async () => undefined,
  })
  return app
}
