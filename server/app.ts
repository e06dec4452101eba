import compress from '@fastify/compress'
import cors from '@fastify/cors'
import Fastify, {
  type FastifyInstance,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import type { Kysely } from 'kysely'
import { refuseEncoded } from '#app/shared/server/bounds/encoded-body.ts'
import { requirePace } from '#app/shared/server/bounds/pace.ts'
import { addErrorHandler, asFailure, nothingHere, sendFailure } from '#app/shared/server/errors.ts'
import { acceptJson } from '#app/shared/server/json/accept-json.ts'
import { teller, withFallback } from '#app/shared/server/limits/fallback.ts'
import { memoryTally, noTally, type Tally } from '#app/shared/server/limits/tally.ts'
import { addValidation } from '#app/shared/server/validation.ts'
import type { Schema } from '#db/schema.ts'
import { type Addresses, openAddresses } from './cache/addresses.ts'
import { declareCalls } from './cache/declared-calls.ts'
import { type Front, openPageCache, type PageCache } from './cache/page-cache.ts'
import { addValidators } from './cache/validators.ts'
import { type Config, listed } from './config.ts'
import { brokenRequests, refuseUnclearHost } from './connections/broken-requests.ts'
import {
  CONNECTIONS,
  type Connections,
  capConnections,
  LONGEST_ADDRESS,
  openServer,
  serverOptions,
} from './connections/connections.ts'
import { type Admit, limitRendering, type RenderHook } from './connections/render-limits.ts'
import { readableAddress } from './connections/unreadable-address.ts'
import { refuseForwardedLogIns } from './demo/keep-demo-local.ts'
import { isForwarded } from './demo/real-shop.ts'
import { serveDocumentation } from './documentation.ts'
import { mountDomains } from './domains.ts'
import { headersOf, tlsHeadersOf } from './headers.ts'
import { serveHealth } from './operation/health.ts'
import { type Observers, observe } from './operation/observe.ts'
import { INSIDE, requestIdHeader, requestIds } from './operation/request-id.ts'
import { logOptions, oneLineEach } from './operation/request-log.ts'
import { type Stopping, stoppingOf } from './operation/stopping.ts'
import { type IsTrusted, trustedPeers } from './operation/trusted-peers.ts'
import { warnOfUnheededProxy } from './operation/unheeded-proxy.ts'
import { openDesk, type Payments } from './payment-desk.ts'

const MEBIBYTE = 1024 * 1024
/** Of a body, in bytes, unless its call declares more. */
const LARGEST_BODY = 64 * 1024

/** What a page of another origin may read of an answer, besides what it always may. */
const EXPOSED = [
  ...['X-Total-Count', 'Link', 'X-Request-Id', 'Retry-After'],
  ...['ETag', 'Content-Disposition', 'Location'],
]

export type AppOptions = {
  config: Config
  db: Kysely<Schema>
  logger?: FastifyServerOptions['logger']
  /** Other bounds than the usual ones, for tests. */
  connections?: Partial<Connections>
  /** The accounts of the demo, where there is one: they are for this machine only. */
  demo?: { userIds: ReadonlySet<string> } | null
  /** What counts limits for all processes of this machine, where there are several. */
  machine?: Tally | undefined
} & Observers

declare module 'fastify' {
  interface FastifyInstance {
    /** How it stops without cutting anybody off. */
    stopping: Stopping
    /** Every address whose answer is the same for everybody. */
    publicAddresses: Addresses
    /** What payments are made with, in this process. */
    payments: Payments
    /** Limits how many pages are made for one network. */
    limitPages: RenderHook
    /** Admits a visitor to whatever the cache does not keep. */
    admit: Admit
    /** What is kept in memory, where anything is. */
    pages?: PageCache
  }
}

/** Without a cache, the framework handles every request. */
const nobody: Front = (request, response, handle) => handle(request, response)

/** Refuses ambiguous requests and requests that are sent too slowly; warns of an untrusted proxy. */
function guardDoor(app: FastifyInstance, { pace }: Connections, isTrusted: IsTrusted) {
  refuseUnclearHost(app)
  app.removeContentTypeParser('text/plain')
  app.addHook('onRequest', async ({ headers }) => refuseEncoded(headers))
  app.addHook('onRequest', async ({ raw }) => requirePace(raw, pace))
  warnOfUnheededProxy(app, isTrusted)
}

function createServer({ config, logger, connections }: AppOptions) {
  const always = headersOf(config)
  const headersFor = (request: FastifyRequest) =>
    Object.assign({}, always, tlsHeadersOf(request), requestIdHeader(request.id))
  const bounds = { ...CONNECTIONS, ...connections }
  const broken = brokenRequests(always, bounds)
  const isTrusted = trustedPeers(listed(config.TRUST_PROXY))
  const front = { answer: nobody }
  const app = Fastify({
    serverFactory: (handle) =>
      openServer(bounds, (request, response) => {
        broken.came(request, response)
        front.answer(request, response, handle)
      }),
    logger: logger ?? logOptions(config.LOG_LEVEL),
    logController: oneLineEach,
    genReqId: requestIds(isTrusted),
    // whoever still comes while it closes is served: see operation/stopping.ts
    return503OnClosing: false,
    bodyLimit: LARGEST_BODY,
    ...serverOptions(bounds),
    trustProxy: (address) => address === INSIDE || isTrusted(address),
    rewriteUrl: readableAddress,
    routerOptions: { maxParamLength: LONGEST_ADDRESS },
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    frameworkErrors: (error, request, reply) => {
      sendFailure(reply.headers(headersFor(request)), asFailure(error))
    },
    clientErrorHandler: broken.answer,
  })
  broken.watch(app)
  capConnections(app.server, bounds, config.RATE_LIMIT === 'off' ? () => true : isTrusted)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersFor(request))
    done()
  })
  guardDoor(app, bounds, isTrusted)
  return { app, front, isTrusted }
}

/** The origins that are told of by name; where all may read, every answer says so itself. */
function namedOrigins({ CORS_ORIGINS }: Config): Set<string> {
  const origins = listed(CORS_ORIGINS)
  return new Set(origins.includes('*') ? [] : origins)
}

/** Has forwarded requests handled by the app: a demo shows them other pages, without its login. */
const besidesForwarded =
  (answer: Front): Front =>
  (request, response, handle) =>
    isForwarded(request) ? handle(request, response) : answer(request, response, handle)

/** Puts the cache in front of the app. */
function addCache(
  { app, front, isTrusted }: ReturnType<typeof createServer>,
  { config, db, demo, meters }: AppOptions,
  { addresses, stopping }: { addresses: Addresses; stopping: Stopping },
) {
  const cache = openPageCache(app, {
    ...{ addresses, db, isTrusted, meters, stopping, idOf: requestIds(isTrusted) },
    admit: (route, ip) => app.admit(route, ip),
    ...{ maxBytes: config.CACHE_MB * MEBIBYTE, origins: namedOrigins(config) },
  })
  front.answer = demo ? besidesForwarded(cache.answer) : cache.answer
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

/** What limits are counted with: the widest that answers. */
async function openTally(
  app: FastifyInstance,
  { config: { RATE_LIMIT, REDIS_URL }, machine }: AppOptions,
): Promise<Tally> {
  if (RATE_LIMIT === 'off') return noTally
  const alone = memoryTally()
  const here = machine ? withFallback(machine, alone, teller(app.log, 'The first process')) : alone
  if (!REDIS_URL) return here
  const { redisTally } = await import('#app/shared/server/limits/redis-tally.ts')
  const { tally, close } = await redisTally(REDIS_URL, app.log, here)
  app.addHook('onClose', async () => close())
  return tally
}

/** Assembles the API over an open database. The site is mounted on top of it by `serveSite`. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const server = createServer(options)
  const { app } = server
  const [stopping, addresses] = [stoppingOf(app), openAddresses()]
  app.decorate('stopping', stopping).decorate('publicAddresses', addresses)
  declareCalls(app, addresses)
  if (options.config.CACHE_MB > 0) addCache(server, options, { addresses, stopping })
  observe(app, options)
  addValidation(app)
  addErrorHandler(app)
  acceptJson(app)
  // of what is sent, before it is compressed
  addValidators(app)
  await addPlugins(app, options)
  const tally = await openTally(app, options)
  await serveDocumentation(app, tally)
  serveHealth(app, { db: options.db, isStopping: stopping.isStopping })
  const { config, db, demo, tracing } = options
  app.decorate(
    'payments',
    await openDesk({ config, db, isDemo: Boolean(demo), trace: tracing?.work }, app.log),
  )
  if (demo) refuseForwardedLogIns(app)
  const { limitPages, admit } = limitRendering(app, tally)
  app.decorate('limitPages', limitPages).decorate('admit', admit)
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
