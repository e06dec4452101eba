import { type Config, readConfig } from './config.ts'
import { showProgress } from './operation/progress.ts'
import { heedSignals } from './operation/signals.ts'
import { workersOf } from './workers/count.ts'
import { WITH_JOBS, WORKER } from './workers/messages.ts'

/** Requests under way may end until then; committed data is safe however the process ends. */
const PATIENCE_MS = 9500

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
  // only a new process opens a database again that has ended itself
  const gone = giveUp
  const shop = await startShop(config, { development, progress, built, gone, share: others })
  const cutOff = (why: string) => () => giveUp(new Error(`${why}: what was under way is cut off.`))
  heedSignals({
    gently: (signal) => {
      // kept waiting by a client that never ends its request, or by a provider
      setTimeout(cutOff('The time to stop is over'), PATIENCE_MS).unref()
      // a person at the keyboard is in a hurry; a supervisor has customers at the door
      const drainSeconds = signal === 'SIGINT' || development ? 0 : config.DRAIN_SECONDS
      shop.close({ drainSeconds }).then(() => process.exit(0), giveUp)
    },
    atOnce: cutOff('Told twice to stop'),
  })
  if (others) others.opened(shop.lines)
  else for (const line of shop.lines) console.log(line)
}

/** Serves in several processes; ends with them. */
async function serveTogether(config: Config, count: number) {
  const { runWorkers } = await import('./workers/primary.ts')
  const says = { say: console.log, complain: console.error }
  process.exit(await runWorkers(config, { count, patienceMs: PATIENCE_MS, ...says }))
}

/** Opens the shop, or says why it cannot. Its pages may still be `built` while its database is made. */
export async function main(built?: Promise<void>) {
  try {
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
