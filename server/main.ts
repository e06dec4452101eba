import { type Config, readConfig } from './config.ts'
import { requireValidConfigFile } from './config-file.ts'
import { showProgress, writeError, writeLine } from './operation/output.ts'
import { requirePort } from './operation/require-port.ts'
import { closeOnSignal } from './operation/shutdown.ts'
import { memoryProblem, workersOf } from './workers/capacity.ts'
import { workerRole } from './workers/worker.ts'

/** Open requests may end until then; committed data is safe however the process ends. */
const SHUTDOWN_MS = 9500

const development = process.argv.includes('--dev')
const worker = workerRole()

/** Where progress is shown: rewritten on a terminal, as lines of the log elsewhere. */
const progressOutput = () =>
  process.stdout.isTTY
    ? process.stdout
    : { write: (line: string) => writeLine('info', line.trimEnd()) }

type Start = {
  /** Resolves when the pages are built. */
  built?: Promise<void> | undefined
  /** The file of the settings, which are in the environment already. */
  file?: string | undefined
  /** Called when the shop is open. */
  onOpen?: () => void
}

async function serve(config: Config, { built, onOpen }: Start) {
  const { startShop } = await import('./start-shop.ts')
  const progress = showProgress('Photos of the demo', progressOutput())
  const announce = (line: string) => writeLine('info', line)
  const shop = await startShop(config, { development, progress, announce, built, worker })
  closeOnSignal({
    timeoutMs: SHUTDOWN_MS,
    write: writeLine,
    close(signal) {
      // Ctrl-C: no load balancer is involved, so it does not drain
      const drains = signal === 'SIGTERM' && !development
      return shop.close({ drainSeconds: drains ? config.DRAIN_SECONDS : 0 })
    },
  })
  onOpen?.()
  if (worker?.announces === false) return
  for (const line of shop.lines) writeLine('info', line)
}

/**
 * Opens the shop, or prints why it cannot. The pages may still be being `built` while its database
 * is created.
 */
export async function main(start: Start = {}) {
  const { built, file, onOpen } = start
  let dataDir = 'DATA_DIR'
  try {
    for (const warning of file ? requireValidConfigFile(file) : []) writeLine('warn', warning)
    const config = readConfig()
    dataDir = config.DATA_DIR
    const short = worker ? null : memoryProblem(config)
    if (short) writeLine('warn', short)
    if (!worker) await requirePort(config)
    const count = worker || development ? 1 : workersOf(config)
    if (count === 1) return await serve(config, start)
    await built
    const { runWorkers } = await import('./workers/primary.ts')
    await runWorkers(config, { count, timeoutMs: SHUTDOWN_MS, write: writeLine, onOpen })
  } catch (error) {
    const cause = error instanceof Error ? error : new Error(String(error))
    // the embedded database names no path
    giveUp(writeError(cause, 'path' in cause ? String(cause.path) : dataDir))
  }
}

function giveUp(error: Error) {
  writeLine('fatal', error.message)
  process.exit(1)
}

if (import.meta.main) main()
