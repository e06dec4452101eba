import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { modules } from '#app/modules.ts'
import { NO_SETTINGS, type ShopSettings } from '#app/shared/model/shop-settings.ts'
import type { Job, OpenedModule } from '#app/shared/server/domain-module.ts'
import { type OpenDatabase, openDatabase } from '#db/connect.ts'
import { makeUnusedFolderPrivate } from '#db/data-folder.ts'
import { migrate } from '#db/migrate.ts'
import type { Watcher } from '#db/pool.ts'
import { VERSION } from '#db/releases/version.ts'
import type { Database } from '#db/schema.ts'
import { finishOrders } from '#demo/finish-orders.ts'
import { finishPhotos, type Progress } from '#demo/finish-photos.ts'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { type Demo, openDemo } from './demo/open-demo.ts'
import { addVite } from './development.ts'
import { pagePolicyOf } from './headers.ts'
import { startJobs } from './jobs.ts'
import { writeLine } from './operation/output.ts'
import { listenError } from './operation/require-port.ts'
import { serveMetrics } from './operation/serve-metrics.ts'
import type { Tracing } from './operation/tracing.ts'
import { openOwnerSocket } from './owner/socket.ts'
import { builtSite, serveAssets, serveSite } from './site.ts'
import { openStoredSettings } from './stored-settings.ts'
import { poolSizeOf } from './workers/capacity.ts'
import type { WorkerRole } from './workers/worker.ts'

export type Shop = {
  address: string
  /** Startup messages: the address, and the logins of the demo. */
  lines: string[]
  /** Closes after all requests; before that it drains for `drainSeconds`. */
  close: (how?: { drainSeconds?: number }) => Promise<void>
}

/** The statement timeout while the shop is open. */
const MAX_STATEMENT_MS = 20_000

/** Jobs start after the first visitors have been served. */
const FIRST_VISIT_MS = 1000

const watcherOf = (log: FastifyBaseLogger): Watcher => ({
  down: (err) => log.error({ err }, 'the database is unavailable'),
  up: () => log.warn('the database is available again'),
})

/** The settings of pages: those of this process, and those of the modules. */
const settingsOf = (config: Config, modules: OpenedModule[], demo: Demo | null): ShopSettings => ({
  ...NO_SETTINGS,
  url: config.SHOP_URL ?? null,
  payments: 'none',
  demoAdmin: demo?.admin ?? null,
  ...Object.assign({}, ...modules.map(({ pageSettings }) => pageSettings)),
})

async function listen(app: FastifyInstance, config: Config): Promise<string> {
  const { log } = app
  const { level } = log
  try {
    // Fastify logs each address at `info`; the caller prints it once
    if (level === 'info') log.level = 'warn'
    return await app.listen({ port: config.PORT, host: config.HOST })
  } catch (error) {
    throw listenError(`PORT ${config.PORT} on HOST ${config.HOST}`, error)
  } finally {
    log.level = level
  }
}

/**
 * Opens the socket of the owner's commands, for an embedded database; resolves with a function that
 * closes it.
 */
async function listenToOwner(opened: OpenDatabase, { DATA_DIR }: Config, log: FastifyBaseLogger) {
  if (!opened.embedded) return async () => {}
  // the shop works without it
  return openOwnerSocket(opened, DATA_DIR).catch((err) => {
    log.warn({ err }, 'commands of npm run shop have to wait until the shop is stopped')
    return async () => {}
  })
}

async function mountSite(
  app: FastifyInstance,
  config: Config,
  settings: () => ShopSettings,
  development: boolean,
) {
  const load = development ? await addVite(app) : builtSite
  if (!development) await serveAssets(app)
  await serveSite(app, {
    load,
    settings,
    policy: (hashes) => pagePolicyOf(config)(hashes),
    development,
  })
}

/** After a failure it is retried; when all photos exist, it only checks. */
const demoPhotos = (opened: OpenDatabase, progress?: Progress): Job => ({
  name: 'making the photos of the demo',
  everyMs: 60_000,
  run: (closing) => finishPhotos(opened, progress, closing),
})

/** Only the first run has something to do. */
const demoOrders = (opened: OpenDatabase): Job => ({
  name: 'inserting the orders of the demo',
  everyMs: 60_000,
  run: () => finishOrders(opened),
})

type Options = {
  development?: boolean
  /** Called with the progress of the demo's photos. */
  progress?: Progress
  /** Called before the database is migrated. */
  announce?: (line: string) => void
  /** Resolves when the pages are built; at once by default. */
  built?: Promise<void> | undefined
  /** The role of a worker process; undefined when this process is the whole shop. */
  worker?: WorkerRole | undefined
}

/** Opens the metrics where a port is set; the primary serves those of its workers. */
async function openMeters({ METRICS_HOST, METRICS_PORT }: Config, db: Database, isWorker: boolean) {
  if (METRICS_PORT === undefined) return { lines: [], close: async () => {} }
  const { openMetrics } = await import('./operation/metrics.ts')
  const meters = openMetrics(db, {
    gauges: modules.flatMap(({ gauges = [] }) => gauges),
    invariants: modules.flatMap(({ invariants = [] }) => invariants),
  })
  if (isWorker) return { meters, lines: [], close: async () => {} }
  const { line, close } = await serveMetrics({ METRICS_HOST, METRICS_PORT }, meters)
  return { meters, lines: [line], close }
}

async function openShop(
  environment: Config,
  { development = false, progress, built, worker }: Options,
  { opened, tracing }: { opened: OpenDatabase; tracing: Tracing | undefined },
): Promise<Shop> {
  const stored = await openStoredSettings(environment, opened.db)
  const { config } = stored
  const { db } = opened
  const runsJobs = worker?.runsJobs ?? true
  // the worker that runs the jobs opens before the others
  const { demo, lines } = await openDemo(config, opened, { isExamined: !runsJobs })
  const { meters, ...metrics } = await openMeters(config, db, worker !== undefined)
  const app = await createApp({ config: environment, db, demo, tracing, meters, stored })
  opened.watch(watcherOf(app.log), MAX_STATEMENT_MS)
  await built
  const settings = () => settingsOf(config, app.modules, demo)
  await mountSite(app, config, settings, development)
  const address = await listen(app, config)
  const closeOwnerSocket = await listenToOwner(opened, config, app.log)
  const work = runsJobs ? app.modules.flatMap(({ jobs = [] }) => jobs) : []
  if (demo && runsJobs) work.push(demoOrders(opened), demoPhotos(opened, progress))
  const jobs = startJobs(work, app.log, FIRST_VISIT_MS)
  const startupLines = app.modules.flatMap(({ startupLines = [] }) => startupLines)
  if (worker?.announces ?? true)
    for (const { announce } of app.modules)
      startupLines.push(...((await announce?.(address)) ?? []))
  const open = `${settings().name} is open at ${address} (Haat ${VERSION})`
  return {
    address,
    lines: [open, ...metrics.lines, ...lines, ...startupLines],
    close: async ({ drainSeconds = 0 } = {}) => {
      // aborted first, so that they are done when the last request is
      const done = jobs.close()
      await app.stopping.drain(drainSeconds)
      await done
      await metrics.close()
      await tracing?.close()
      await closeOwnerSocket()
      await opened.close()
    },
  }
}

/**
 * Opens the database, runs migrations, loads the demo if enabled, and listens. Throws a
 * user-readable message when it cannot.
 */
export async function startShop(config: Config, options: Options = {}): Promise<Shop> {
  if (config.DATABASE_URL) makeUnusedFolderPrivate(config.DATA_DIR)
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config
  const tracing = endpoint
    ? (await import('./operation/tracing.ts')).openTracing(endpoint)
    : undefined
  const opened = await openDatabase({
    databaseUrl: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    poolSize: poolSizeOf(config),
    prepares: config.PGBOUNCER !== 'transaction',
    onQuery: tracing?.query,
    onCrash: (why) => writeLine('fatal', why),
  })
  try {
    await migrate(opened.db, { announce: options.announce })
    return await openShop(config, options, { opened, tracing })
  } catch (error) {
    await opened.close()
    throw error
  }
}
