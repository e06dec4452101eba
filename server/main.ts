import { readConfig } from './config.ts'
import { showProgress } from './progress.ts'
import { startShop } from './start-shop.ts'

/** Requests under way may end until then; committed data is safe however the process ends. */
const PATIENCE_MS = 9500

const development = process.argv.includes('--dev')

async function main() {
  const config = readConfig()
  const progress = showProgress('Setting out the demo catalogue', process.stdout)
  // only a new process opens a database again that has ended itself
  const gone = giveUp
  const shop = await startShop(config, { development, say: console.log, progress, gone })
  let stopping = false
  const stop = (drainSeconds: number) => () => {
    // asked twice, or kept waiting by a client that never ends its request
    if (stopping) process.exit(1)
    stopping = true
    setTimeout(() => process.exit(0), PATIENCE_MS).unref()
    shop.close({ drainSeconds }).then(
      () => process.exit(0),
      (error: Error) => giveUp(error),
    )
  }
  // a person at the keyboard is in a hurry; a supervisor has customers at the door
  process.on('SIGINT', stop(0)).on('SIGTERM', stop(development ? 0 : config.DRAIN_SECONDS))
}

function giveUp(error: Error) {
  console.error(error.message)
  process.exit(1)
}

main().catch(giveUp)
