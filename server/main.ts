import { readConfig } from './config.ts'
import { showProgress } from './progress.ts'
import { startShop } from './start-shop.ts'

const development = process.argv.includes('--dev')

async function main() {
  const progress = showProgress('Setting out the demo catalogue', process.stdout)
  const shop = await startShop(readConfig(), { development, say: console.log, progress })
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await shop.close()
    process.exit(0)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
