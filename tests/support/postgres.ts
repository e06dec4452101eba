import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { childrenOf } from './children-of.ts'
import { freePort } from './free-port.ts'

export type Postgres = {
  url: string
  stop: () => Promise<void>
  /** Kills the server and its processes (SIGKILL). */
  kill: () => Promise<void>
  /** Restarts it on the same data, after it was killed. */
  restart: () => Promise<void>
}

/** Without durability: the data ends with the tests. */
export const FORGETFUL = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

/** The folder of PostgreSQL's programs; the newest, if there are several. */
export function findBinaries(): string | undefined {
  const onPath = (process.env.PATH ?? '').split(delimiter)
  const kept = globSync(['/usr/lib/postgresql/*/bin', '/opt/homebrew/opt/postgresql@*/bin'])
  const newestFirst = kept.sort((a, b) => b.localeCompare(a, undefined, { numeric: true }))
  return [...newestFirst, ...onPath].find((folder) =>
    ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))),
  )
}

/** PostgreSQL refuses to run as root: then it runs as the user of its package. */
function owner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: 'pipe' }))
  return { uid: id('-u'), gid: id('-g') }
}

type Place = { binaries: string; folder: string; port: number; settings: string[] }

/** Resolves when it accepts connections; rejects with its output when it exits before. */
async function serve({ binaries, folder, port, settings }: Place): Promise<ChildProcess> {
  const options = [`port=${port}`, `unix_socket_directories=${folder}`, ...settings]
  const server = spawn(
    join(binaries, 'postgres'),
    ['-D', dataIn(folder), '-h', '127.0.0.1', ...options.flatMap((option) => ['-c', option])],
    { ...owner(), cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let said = ''
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk).slice(-10_000)
      if (said.includes('ready to accept connections')) resolve()
    })
    server.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${said}`)))
  })
  return server
}

const dataIn = (folder: string) => join(folder, 'data')

function killIfThere(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has exited: its other processes notice that
  }
}

/** Removes leftovers of a killed server, which prevent another start. */
async function serveAgain(place: Place): Promise<ChildProcess> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await serve(place)
    } catch (error) {
      if (attempt === 50) throw error
      await setTimeout(100)
    }
  }
}

async function run(place: Place): Promise<Postgres> {
  const { binaries, folder, port } = place
  const user = owner()
  if (user) chownSync(folder, user.uid, user.gid)
  const login = ['--username=haat', '--auth=trust']
  const kind = ['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync', `--pgdata=${dataIn(folder)}`]
  execFileSync(join(binaries, 'initdb'), [...login, ...kind], { ...user, cwd: folder })
  let server = await serve(place)
  const end = async (signal: NodeJS.Signals) => {
    const children = server.pid ? childrenOf(server.pid) : []
    const ended = server.exitCode === null && server.signalCode === null && once(server, 'exit')
    server.kill(signal)
    if (signal === 'SIGKILL') children.forEach(killIfThere)
    await ended
  }
  const stopNow = () => server.kill('SIGINT')
  process.once('exit', stopNow)
  return {
    url: `postgres://haat@127.0.0.1:${port}/postgres`,
    kill: () => end('SIGKILL'),
    restart: async () => {
      server = await serveAgain(place)
    },
    stop: async () => {
      process.removeListener('exit', stopNow)
      await end('SIGINT')
      await rm(folder, { recursive: true })
    },
  }
}

/**
 * Starts a PostgreSQL server in a temporary folder on a free port; null where it is not installed.
 * `settings` replaces those without durability; the folder is made in `parent`.
 */
export async function startPostgres(
  settings: string[] = FORGETFUL,
  parent = tmpdir(),
): Promise<Postgres | null> {
  const binaries = findBinaries()
  if (!binaries) return null
  const folder = await mkdtemp(join(parent, 'haat-postgres-'))
  return run({ binaries, folder, port: await freePort(), settings })
}
