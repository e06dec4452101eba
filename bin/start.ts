/**
 * `node bin/start.ts [FILE]`: starts the shop with the settings in FILE, which environment
 * variables override. It builds the site first when the build is missing or older than its sources.
 * `npm start` passes .env, which may be missing; any other missing FILE is an error.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { reason } from '../app/shared/server/doctor/finding.ts'
import { nodeProblem } from '../server/operation/node-version.ts'
import { writeLine } from '../server/operation/output.ts'
import { hasBuild, isBuilt, isCompressed, ROUTER } from './build-state.ts'
import { ARENAS, FLAGS } from './process-flags.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const COMPILE_CACHE = join(root, 'node_modules/.cache/compiled')

/**
 * Starts this process again, under the same id, with what is read only when a process starts:
 * - The limits of its memory.
 * - Two malloc arenas: memory that was used for pictures stays in all of them.
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
    MALLOC_ARENA_MAX: env.MALLOC_ARENA_MAX || ARENAS,
    NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE || COMPILE_CACHE,
  })
}

startAgain()

const END_WITH_PARENT = pathToFileURL(join(root, 'db/end-with-parent.ts')).href

const HOW_TO_BUILD =
  'The packages that build it are not installed: run `npm ci && npm run build && npm prune --omit=dev`, or copy the folder from another machine.'

/** Ends the start. */
function fail(why: string): never {
  writeLine('fatal', why)
  process.exit(1)
}

/** What a build needs of the environment: the settings of the shop contain secrets. */
const FOR_BUILDS = 'PATH HOME TMPDIR NO_COLOR NODE_OPTIONS MALLOC_ARENA_MAX NODE_COMPILE_CACHE'

const buildEnvironment = () =>
  Object.fromEntries(FOR_BUILDS.split(' ').map((name) => [name, process.env[name]]))

/** Runs a Node program; rejects with its output when it fails. */
const run = (command: string[], env: Record<string, string> = {}) =>
  // its standard input closes when this process ends, however it ends
  promisify(execFile)(process.execPath, [`--import=${END_WITH_PARENT}`, ...command], {
    cwd: root,
    env: { ...buildEnvironment(), ...env },
    maxBuffer: Number.POSITIVE_INFINITY,
  })

/** Ends the start, and a build with it. */
const stop = () => process.exit(0)

/** A production install cannot build: it serves the pages that it has, and ends the start without any. */
function requirePages() {
  if (!hasBuild()) fail(`The folder build is missing. ${HOW_TO_BUILD}`)
  writeLine('warn', `The folder build is older than its sources. ${HOW_TO_BUILD}`)
}

/** The first step of `npm run build`. A failure ends the start. */
async function build() {
  if (!existsSync(ROUTER)) return requirePages()
  writeLine('info', 'Building the pages, once …')
  await run([ROUTER, 'build']).catch(({ stdout = '', stderr = '' }) =>
    fail(`${stdout}${stderr}The pages could not be built.`),
  )
}

function lowerPriority(pid: number | undefined) {
  try {
    if (pid) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // a system that refuses it shares its processor as usual
  }
}

/**
 * The second step, while the shop is open: assets are served without it, each compressed when it is
 * requested. On one thread of low priority, because visitors come first.
 */
async function compress() {
  if (isCompressed()) return
  const running = run([join(root, 'bin/compress-assets.ts')], {
    UV_THREADPOOL_SIZE: '1',
  })
  lowerPriority(running.child.pid)
  await running.catch(({ stderr = '' }) =>
    writeLine('warn', `${stderr}The scripts and styles could not be compressed in advance.`),
  )
}

/** Reads the settings; ends the start when the file cannot be read. */
function loadSettings(file: string) {
  try {
    process.loadEnvFile(file)
  } catch (error) {
    // some of Node's messages end with a full stop
    const why = reason(error).replace(/\.$/, '')
    fail(`${file} cannot be read: ${why}. It must be a file with the settings.`)
  }
}

const unfixed = nodeProblem()
if (unfixed) fail(unfixed)
// process 1, in a container, ignores signals without a handler
process.on('SIGINT', stop).on('SIGTERM', stop)
const [, , settings] = process.argv
if (settings && existsSync(settings)) loadSettings(settings)
else if (settings === '.env')
  writeLine(
    'info',
    'No .env file here: settings come from the environment, else they are the defaults.',
  )
else if (settings) fail(`There is no file ${settings} to read the settings from.`)
// files written by the start, the build and the shop are readable by their owner only
process.umask(0o077)
const built = isBuilt() ? undefined : build()
// React reads NODE_ENV when it is loaded, and is several times slower in development
process.env.NODE_ENV ??= 'production'
enableCompileCache(COMPILE_CACHE)
const { main } = await import('../server/main.ts')
await main({ built, file: settings, onOpen: compress })
// once open, the shop handles signals itself
process.off('SIGINT', stop).off('SIGTERM', stop)
