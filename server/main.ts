import { readConfig } from './config.ts'
import { startShop } from './start-shop.ts'

const development = process.argv.includes('--dev')

async function main() {
  const shop = await startShop(readConfig(), { development, say: console.log })
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
