/**
 * `node bin/start.ts [FILE]`: starts the shop with the settings in FILE, which environment
 * variables override. It builds the site first when the build is missing or older than its sources.
 * `npm start` passes .env, which may be missing; any other missing FILE is an error.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { writeLine } from '../server/operation/output.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const COMPILE_CACHE = join(root, 'node_modules/.cache/compiled')

/** A small process (docs/decisions/0008): half of what Node takes by itself. Flags of the caller prevail. */
const FLAGS = ['--max-semi-space-size=4', '--max-old-space-size=512']

/**
 * Starts this process again, under the same id, with what is read only when a process starts:
 * - The limits of its memory.
 * - Two malloc arenas. By default glibc has one for each thread, and memory that was used for
 *   pictures stays in all of them.
 *   Source: https://sharp.pixelplumbing.com/install#linux-memory-allocator
 * - The compile cache, which then has this file, too: with all files in it, Node does not load its
 *   TypeScript compiler.
 */
function startAgain() {
  const { platform, execPath, execArgv, argv, env } = process
  const isDone = env.MALLOC_ARENA_MAX && FLAGS.every((flag) => execArgv.includes(flag))
  if (platform === 'win32' || isDone) return
  const command = [execPath, ...FLAGS, ...execArgv, ...argv.slice(1)]
  process.execve?.(execPath, command, {
    ...env,
    MALLOC_ARENA_MAX: env.MALLOC_ARENA_MAX || '2',
    NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE || COMPILE_CACHE,
  })
}

startAgain()

const BUILT = join(root, 'build/server/index.js')
/** React Router's command line, run without npm. A production install does not have it. */
const ROUTER = join(root, 'node_modules/@react-router/dev/bin.cjs')

/** The sources of the build. `npm prune` writes package-lock.json again, which makes no build old. */
const FOLDERS = ['app', 'public']
const FILES = existsSync(ROUTER)
  ? ['package-lock.json', 'react-router.config.ts', 'vite.config.ts']
  : []

/** The newest modification time of files and folders: deleting a file changes only its folder. */
const sources = () => [
  ...FILES.map((file) => join(root, file)),
  ...FOLDERS.map((folder) => join(root, folder)).flatMap((folder) => [
    folder,
    // types are known without asking for each file
    ...readdirSync(folder, { recursive: true, withFileTypes: true }).map(({ parentPath, name }) =>
      join(parentPath, name),
    ),
  ]),
]

const changedAt = (path: string) => statSync(path).mtimeMs

function isBuilt() {
  if (!existsSync(BUILT)) return false
  const built = changedAt(BUILT)
  return sources().every((path) => changedAt(path) <= built)
}

const END_WITH_PARENT = pathToFileURL(join(root, 'db/end-with-parent.ts')).href

const HOW_TO_BUILD =
  'The packages that build it are not installed: run `npm ci && npm run build && npm prune --omit=dev`, or copy the folder from another machine.'

/** Runs a Node program. Its output is shown only when it fails, which ends the start. */
async function run(...command: string[]) {
  const running = spawn(process.execPath, [`--import=${END_WITH_PARENT}`, ...command], {
    cwd: root,
    // the first pipe closes when this process ends, however it ends
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = once(running, 'close')
  const output = await Promise.all([text(running.stdout), text(running.stderr)])
  const [code] = await ended
  if (code === 0) return
  writeLine('fatal', `${output.join('')}The pages could not be built.`)
  process.exit(1)
}

/** Ends the start, and a build with it. */
const stop = () => process.exit(0)

/** A production install cannot build: it serves the pages that it has, and ends the start without any. */
function requirePages() {
  if (existsSync(BUILT)) {
    writeLine('warn', `The folder build is older than its sources. ${HOW_TO_BUILD}`)
    return
  }
  writeLine('fatal', `The folder build is missing. ${HOW_TO_BUILD}`)
  process.exit(1)
}

/** The steps of `npm run build` without the check of page sizes. */
async function build() {
  if (!existsSync(ROUTER)) return requirePages()
  writeLine('info', 'Building the pages, once …')
  await run(ROUTER, 'build')
  await run(join(root, 'bin/compress-assets.ts'))
}

/** Reads the settings; ends the start when the file cannot be read. */
function loadSettings(file: string) {
  try {
    process.loadEnvFile(file)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    // some of Node's messages end with a full stop
    writeLine(
      'fatal',
      `${file} cannot be read: ${why.replace(/\.$/, '')}. It must be a file with the settings.`,
    )
    process.exit(1)
  }
}

// process 1, in a container, ignores signals without a handler
process.on('SIGINT', stop).on('SIGTERM', stop)
const [, , settings] = process.argv
if (settings && existsSync(settings)) loadSettings(settings)
else if (settings === '.env')
  writeLine(
    'info',
    'No .env file here: settings come from the environment, else they are the defaults.',
  )
else if (settings) {
  writeLine('fatal', `There is no file ${settings} to read the settings from.`)
  process.exit(1)
}
// files written by the start, the build and the shop are readable by their owner only
process.umask(0o077)
const built = isBuilt() ? undefined : build()
// React reads NODE_ENV when it is loaded, and is several times slower in development
process.env.NODE_ENV ??= 'production'
enableCompileCache(COMPILE_CACHE)
const { main } = await import('../server/main.ts')
await main(built, settings)
// once open, the shop handles signals itself
process.off('SIGINT', stop).off('SIGTERM', stop)
