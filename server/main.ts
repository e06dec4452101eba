import { readConfig } from './config.ts'
import { heedSignals } from './operation/signals.ts'
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
}

function giveUp(error: Error) {
  console.error(error.message)
  process.exit(1)
}

main().catch(giveUp)
