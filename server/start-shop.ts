import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { ShopSettings } from '#app/shared/contract/shop-settings.ts'
import type { Job, OpenedModule } from '#app/shared/server/domain-module.ts'
import { type OpenDatabase, openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import type { Watcher } from '#db/pool.ts'
import { makeUnusedFolderPrivate } from '#db/private-folder.ts'
import { finishPhotos, type Progress } from '#demo/finish-photos.ts'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { type Demo, openDemo } from './demo/open-demo.ts'
import { addVite } from './development.ts'
import { pagePolicyOf } from './headers.ts'
import { startJobs } from './jobs.ts'
import { metricsOf, tracingOf } from './operation/observe.ts'
import type { Tracing } from './operation/tracing.ts'
import { openOwnerSocket } from './owner/socket.ts'
import { builtSite, serveAssets, serveSite } from './site.ts'
import { poolSizeOf } from './workers/count.ts'
import type { WorkerRole } from './workers/worker.ts'

export type Shop = {
  address: string
  /** What whoever started it wants to know: where it is, and how to sign in to the demo. */
  lines: string[]
  /** Closes when all is answered; for `drainSeconds` before that it sends nobody away. */
  close: (how?: { drainSeconds?: number }) => Promise<void>
}

/** While customers wait, no statement may take longer. */
const LONGEST_STATEMENT_MS = 20_000

/** Whoever waits at the door when it opens comes before what has to be done anyway. */
const FIRST_VISIT_MS = 1000

const watcherOf = (log: FastifyBaseLogger): Watcher => ({
  down: (err) => log.error({ err }, 'the database is out of reach'),
  up: () => log.warn('the database is back'),
})

function settingsOf(config: Config, modules: OpenedModule[], demo: Demo | null): ShopSettings {
  const settings: ShopSettings = {
    name: config.SHOP_NAME,
    url: config.SHOP_URL ?? null,
    currencyDisplay: config.CURRENCY_DISPLAY,
    currencyCharge: config.CURRENCY_CHARGE,
    payments: 'none',
    demoAdmin: demo?.admin ?? null,
  }
  for (const { pageSettings } of modules) Object.assign(settings, pageSettings)
  return settings
}

async function listen(app: FastifyInstance, { PORT: port, HOST: host }: Config): Promise<string> {
  try {
    // the address is said by the caller, once
    return await app.listen({ port, host, listenTextResolver: () => 'Listening' })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`PORT ${port} on HOST ${host} cannot be listened on: ${why}`, { cause: error })
  }
}

/** Opens the socket of the owner's commands, where the database is embedded; resolves with how to close it. */
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
  settings: ShopSettings,
  development: boolean,
) {
  const load = development ? await addVite(app) : builtSite
  if (!development) await serveAssets(app)
  await serveSite(app, { load, settings, policy: pagePolicyOf(config), development })
}

/** When it fails it is tried anew; when all photos are there it only looks. */
const demoPhotos = (opened: OpenDatabase, progress?: Progress): Job => ({
  name: 'making the photos of the demo',
  everyMs: 60_000,
  run: (closing) => finishPhotos(opened, progress, closing),
})

type Options = {
  development?: boolean
  /** Told how many photos the demo has, while they are made. */
  progress?: Progress
  /** When the pages are built; at once, where nothing is said. */
  built?: Promise<void> | undefined
  /** Set in a worker process; without it this process is the whole shop. */
  worker?: WorkerRole | undefined
}

async function openShop(
  config: Config,
  { development = false, progress, built, worker }: Options,
  { opened, tracing }: { opened: OpenDatabase; tracing: Tracing | undefined },
): Promise<Shop> {
  const { db } = opened
  const runsJobs = worker?.runsJobs ?? true
  // the worker that runs the jobs is open before the others start
  const { demo, lines } = await openDemo(config, opened, { isExamined: !runsJobs })
  const metrics = await metricsOf(config, db, { isWorker: worker !== undefined })
  const meters = metrics?.meters
  const app = await createApp({ config, db, demo, tracing, meters })
  opened.watch(watcherOf(app.log), LONGEST_STATEMENT_MS)
  await built
  const { modules } = app
  await mountSite(app, config, settingsOf(config, modules, demo), development)
  const address = await listen(app, config)
  const closeOwnerSocket = await listenToOwner(opened, config, app.log)
  const work = runsJobs ? modules.flatMap(({ jobs = [] }) => jobs) : []
  if (demo && runsJobs) work.push(demoPhotos(opened, progress))
  const jobs = startJobs(work, app.log, FIRST_VISIT_MS)
  const startupLines = modules.flatMap(({ startupLines = [] }) => startupLines)
  const open = `${config.SHOP_NAME} is open at ${address}`
  return {
    address,
    lines: [open, ...(metrics?.lines ?? []), ...lines, ...startupLines],
    close: async ({ drainSeconds = 0 } = {}) => {
      // told at once, so that they are done when the last customer is
      const done = jobs.close()
      await app.stopping.drain(drainSeconds)
      await done
      await metrics?.close()
      await tracing?.close()
      await closeOwnerSocket()
      await opened.close()
    },
  }
}

/**
 * Opens the database, brings it up to date, loads the demo where it belongs, and listens.
 * Throws a sentence when it cannot.
 */
export async function startShop(config: Config, options: Options = {}): Promise<Shop> {
  if (config.DATABASE_URL) makeUnusedFolderPrivate(config.DATA_DIR)
  const tracing = await tracingOf(config)
  const opened = await openDatabase({
    databaseUrl: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    poolSize: poolSizeOf(config),
    onQuery: tracing?.query,
  })
  try {
    await migrate(opened.db)
    return await openShop(config, options, { opened, tracing })
  } catch (error) {
    await opened.close()
    throw error
  }
}
