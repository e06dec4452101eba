/**
 * `node bin/start.ts [FILE]`: starts the shop, with the settings in FILE where the environment does
 * not say otherwise; builds the site first when there is no build, or an older one. `npm start` names
 * .env, which may be missing; any other FILE that is missing stops the start.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { createRequire, enableCompileCache } from 'node:module'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const BUILT = join(root, 'build/server/index.js')
/** The sources of the build. */
const FOLDERS = ['app', 'public']
const FILES = ['package-lock.json', 'react-router.config.ts', 'vite.config.ts']

/** Every file and folder: removing a file changes only its folder. */
const sources = () => [
  ...FILES,
  ...FOLDERS.flatMap((folder) => [
    folder,
    ...readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, `${path}`)),
  ]),
]

const changedAt = (path: string) => statSync(path).mtimeMs

function isBuilt() {
  if (!existsSync(BUILT)) return false
  const built = changedAt(BUILT)
  return sources().every((path) => changedAt(join(root, path)) <= built)
}

/** React Router's command line, which is run without npm. */
const ROUTER = join(
  dirname(createRequire(import.meta.url).resolve('@react-router/dev/package.json')),
  'bin.cjs',
)

/** Runs a Node program. Its output is shown only when it fails, which ends the start. */
async function run(...command: string[]) {
  const running = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(running, 'close')
  // the build ends when the start does
  const stop = () => running.kill()
  process.once('exit', stop)
  const output = await Promise.all([text(running.stdout), text(running.stderr)])
  const [code] = await ended
  process.off('exit', stop)
  if (code === 0) return
  console.error(`${output.join('')}The pages could not be built.`)
  process.exit(1)
}

const EXIT_CODES: Partial<Record<NodeJS.Signals, number>> = { SIGINT: 130, SIGTERM: 143 }

/** Ends the start, and what it runs. */
const giveUp = (signal: NodeJS.Signals) => process.exit(EXIT_CODES[signal])

/** Does what `npm run build` does, except to check the size of the pages. */
async function build() {
  console.log('Building the pages, once …')
  process.on('SIGINT', giveUp).on('SIGTERM', giveUp)
  await run(ROUTER, 'build')
  await run(join(root, 'bin/compress-assets.ts'))
  // the shop hears signals itself when it is open
  process.off('SIGINT', giveUp).off('SIGTERM', giveUp)
}

const [, , settings] = process.argv
if (settings && existsSync(settings)) process.loadEnvFile(settings)
else if (settings === '.env')
  console.log('No .env file here: settings come from the environment, else they are the defaults.')
else if (settings) {
  console.error(`There is no file ${settings} to read the settings from.`)
  process.exit(1)
}
// every file that the start, the build and the shop write is for its owner alone
process.umask(0o077)
const built = isBuilt() ? undefined : build()
// React reads it when it is loaded, and is several times slower in development
process.env.NODE_ENV ??= 'production'
enableCompileCache(join(root, 'node_modules/.cache/compiled'))
const { main } = await import('../server/main.ts')
await main(built)
