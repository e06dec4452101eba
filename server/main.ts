import { readConfig } from './config.ts'
import { showProgress } from './progress.ts'
import { startShop } from './start-shop.ts'

/** Requests under way may end until then; committed data is safe however the process ends. */
const PATIENCE_MS = 10_000

const development = process.argv.includes('--dev')

async function main() {
  const progress = showProgress('Setting out the demo catalogue', process.stdout)
  const shop = await startShop(readConfig(), { development, say: console.log, progress })
  let stopping = false
  const stop = () => {
    // asked twice, or kept waiting by a client that never ends its request
    if (stopping) process.exit(1)
    stopping = true
    setTimeout(() => process.exit(0), PATIENCE_MS).unref()
    shop.close().then(
      () => process.exit(0),
      (error: Error) => giveUp(error),
    )
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
}

function giveUp(error: Error) {
  console.error(error.message)
  process.exit(1)
}

main().catch(giveUp)
