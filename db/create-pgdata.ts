import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { rename, rm, statfs } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { MemoryFS, PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { Kysely, PGliteDialect } from 'kysely'
import { markRestore } from './restored.ts'

/** Short of memory: the baseline compiler, for functions that run only, and a small heap. It makes this no slower. */
const NODE_FLAGS = [
  '--liftoff-only',
  '--wasm-lazy-compilation',
  '--optimize-for-size',
  '--max-semi-space-size=2',
  '--max-old-space-size=128',
]
/** The memory of the child process. */
const NEEDED_MB = 400

/** The disk space of an empty database. */
const NEEDED_DISK_MB = 64

/** Throws like the operating system does when too little space for a database is left at the path. */
async function requireSpace(path: string): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(path))
  if (bavail * bsize >= NEEDED_DISK_MB * 2 ** 20) return
  throw Object.assign(new Error('The disk is full.'), { code: 'ENOSPC', path })
}

/**
 * The child's environment: the compile cache, and two malloc arenas as the shop has them. The settings of the shop
 * contain secrets.
 */
function childEnvironment(): Record<string, string> {
  const cache = getCompileCacheDir()
  return { MALLOC_ARENA_MAX: '2', ...(cache && { NODE_COMPILE_CACHE: dirname(cache) }) }
}

/** Runs this file with these arguments. Throws a user-readable message when the system kills it. */
async function runChild(args: string[]): Promise<void> {
  const program = [...NODE_FLAGS, fileURLToPath(import.meta.url), ...args]
  // the pipe closes when this process ends, however it ends
  const child = spawn(process.execPath, program, {
    env: childEnvironment(),
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const [output, [code, signal]] = await Promise.all([text(child.stderr), once(child, 'close')])
  if (signal === 'SIGKILL')
    throw new Error(
      `The system has ended the creation of the embedded database, probably because memory is short: it needs ${NEEDED_MB} MB. Free memory, or set DATABASE_URL to a PostgreSQL server.`,
    )
  if (code !== 0) throw new Error(output.trim() || `It ended by ${signal ?? code}.`)
}

/**
 * Creates the files of an embedded database, empty or from a backup, all or nothing. A child
 * process does it, because its memory would not be returned in this one. The child ends with this
 * process.
 */
export async function createPgdata(folder: string, backup?: string): Promise<void> {
  if (existsSync(folder)) return
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  await requireSpace(folder)
  try {
    await runChild([partial, ...(backup ? [backup] : [])])
    await rename(partial, folder)
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

/**
 * A folder as PGlite's file system in memory, into which its initdb writes directly. For another
 * file system PGlite keeps three copies of the new files in memory.
 */
class DirectFS extends MemoryFS {
  readonly #folder: NodeFS
  constructor(folder: string) {
    super()
    this.#folder = new NodeFS(folder)
  }

  override init(...given: Parameters<NodeFS['init']>) {
    this.pg = given[0]
    return this.#folder.init(...given)
  }
}

async function createEmpty(dataDir: string) {
  const pglite = await PGlite.create({
    fs: new DirectFS(dataDir),
    // a quarter of the default's memory; each start of the shop sets its own
    initDbStartParams: ['-c', 'shared_buffers=1MB'],
    startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=1MB'],
  })
  await pglite.close()
}

/** Throws when the file is damaged, or contains no shop. */
async function unpackBackup(dataDir: string, backup: string) {
  const loadDataDir = new Blob([gunzipSync(readFileSync(backup))])
  const pglite = await PGlite.create({ dataDir, loadDataDir, extensions: { pg_trgm } })
  // sessions that ended after the backup, and links that were used, must not become valid again
  await pglite.exec('delete from sessions; delete from account_tokens')
  await markRestore(new Kysely({ dialect: new PGliteDialect({ pglite }) }))
  await pglite.close()
}

const [, , folder, backup] = process.argv
if (import.meta.main && folder) {
  await import('./end-with-parent.ts')
  await (backup ? unpackBackup(folder, backup) : createEmpty(folder))
  process.exit()
}
