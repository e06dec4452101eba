/**
 * Runs the shop for development: Vite reloads the pages, and this restarts the server when its
 * files change. (`node --watch` would also react to the files that Vite writes.)
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const SETTINGS = join(root, '.env')
/** The server's source files; Vite watches the rest of `app/`. */
const OF_THE_SERVER =
  /^(server|db|demo)[\\/]|^app[\\/](modules\.ts$|\w+[\\/](\w+-)?contract\.ts$|\w+[\\/]server[\\/]|shared[\\/]contract[\\/])/
/** An editor writes a file in several steps, and a tool many files. */
const QUIET_MS = 100

function start() {
  const settings = existsSync(SETTINGS) ? parseEnv(readFileSync(SETTINGS, 'utf8')) : {}
  const command = ['--disable-warning=ExperimentalWarning', 'server/main.ts', '--dev']
  const env = { ...settings, ...process.env }
  return spawn(process.execPath, command, { cwd: root, env, stdio: 'inherit' })
}

let shop = start()
let stopping = false
let restarted = Promise.resolve()

/** A shop that crashed has ended already. */
async function end() {
  if (shop.exitCode !== null || shop.signalCode !== null) return
  const ended = once(shop, 'exit')
  shop.kill('SIGTERM')
  await ended
}

async function restart() {
  await end()
  if (!stopping) shop = start()
}

let quiet: NodeJS.Timeout | undefined

for (const folder of ['app', 'server', 'db', 'demo']) {
  watch(join(root, folder), { recursive: true }, (_event, name) => {
    const path = join(folder, name ?? '')
    if (!OF_THE_SERVER.test(path) || path.endsWith('.test.ts')) return
    clearTimeout(quiet)
    quiet = setTimeout(() => {
      console.log(`${path} has changed`)
      restarted = restarted.then(restart)
    }, QUIET_MS)
  })
}

const stop = async () => {
  stopping = true
  clearTimeout(quiet)
  await restarted
  await end()
  process.exit(shop.exitCode ?? 0)
}
process.on('SIGINT', stop).on('SIGTERM', stop)
