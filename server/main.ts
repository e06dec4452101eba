import { type Config, readConfig } from './config.ts'
import { closeOnSignal } from './operation/close-on-signal.ts'
import { showProgress } from './operation/progress.ts'
import { keepTicksQuick } from './operation/quick-ticks.ts'
import { workersOf } from './workers/count.ts'
import { WITH_JOBS, WORKER } from './workers/messages.ts'

/** Open requests may end until then; committed data is safe however the process ends. */
const SHUTDOWN_MS = 9500

const development = process.argv.includes('--dev')
const isWorker = process.argv.includes(WORKER)

/** What only one of several processes needs is loaded only there. */
async function joinOthers() {
  const { joinWorkers } = await import('./workers/worker.ts')
  return joinWorkers({ doesJobs: process.argv.includes(WITH_JOBS) })
}

async function serve(config: Config, built?: Promise<void>) {
  const others = isWorker ? await joinOthers() : undefined
  const { startShop } = await import('./start-shop.ts')
  const progress = showProgress('Photos of the demo', process.stdout)
  // only a new process opens a database again that has crashed
  const gone = giveUp
  const shop = await startShop(config, { development, progress, built, gone, share: others })
  closeOnSignal({
    timeoutMs: SHUTDOWN_MS,
    complain: console.error,
    close(signal) {
      // no load balancer sends customers to a shop that is stopped from the keyboard
      const drains = signal === 'SIGTERM' && !development
      return shop.close({ drainSeconds: drains ? config.DRAIN_SECONDS : 0 })
    },
  })
  if (others) others.opened(shop.lines)
  else for (const line of shop.lines) console.log(line)
}

/** Serves in several processes; ends with them. */
async function serveTogether(config: Config, count: number) {
  const { runWorkers } = await import('./workers/primary.ts')
  const says = { say: console.log, complain: console.error }
  process.exit(await runWorkers(config, { count, patienceMs: SHUTDOWN_MS, ...says }))
}

/** Opens the shop, or says why it cannot. Its pages may still be `built` while its database is made. */
export async function main(built?: Promise<void>) {
  try {
    keepTicksQuick()
    const config = readConfig()
    const count = isWorker || development ? 1 : workersOf(config)
    if (count === 1) return await serve(config, built)
    await built
    await serveTogether(config, count)
  } catch (error) {
    giveUp(error instanceof Error ? error : new Error(String(error)))
  }
}

function giveUp(error: Error) {
  console.error(error.message)
  process.exit(1)
}

if (import.meta.main) main()
