import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePort } from './free-port.ts'

export type Postgres = { url: string; stop: () => Promise<void> }

/** Whatever is on it ends with the tests: nothing has to survive a power cut. */
const FORGETFUL = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

/** The folder of `initdb` and `postgres`; the newest, where the system keeps several. */
function findBinaries(): string | undefined {
  const onPath = (process.env.PATH ?? '').split(delimiter)
  const kept = globSync(['/usr/lib/postgresql/*/bin', '/opt/homebrew/opt/postgresql@*/bin'])
  const newestFirst = kept.sort((a, b) => b.localeCompare(a, undefined, { numeric: true }))
  return [...newestFirst, ...onPath].find((folder) =>
    ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))),
  )
}

/** PostgreSQL refuses to run as root: then it runs as the user that its package made. */
function owner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: 'pipe' }))
  return { uid: id('-u'), gid: id('-g') }
}

async function run(binaries: string, folder: string, settings: string[]): Promise<Postgres> {
  const user = owner()
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const login = ['--username=haat', '--auth=trust']
  const kind = ['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync', `--pgdata=${data}`]
  execFileSync(join(binaries, 'initdb'), [...login, ...kind], { ...user, cwd: folder })
  const port = await freePort()
  const options = [`port=${port}`, `unix_socket_directories=${folder}`, ...settings]
  const server = spawn(
    join(binaries, 'postgres'),
    ['-D', data, '-h', '127.0.0.1', ...options.flatMap((option) => ['-c', option])],
    { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const stopNow = () => server.kill('SIGINT')
  process.once('exit', stopNow)
  let said = ''
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk).slice(-10_000)
      if (said.includes('ready to accept connections')) resolve()
    })
    server.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${said}`)))
  })
  const stop = async () => {
    process.removeListener('exit', stopNow)
    stopNow()
    await ended
    await rm(folder, { recursive: true })
  }
  return { url: `postgres://haat@127.0.0.1:${port}/postgres`, stop }
}

/**
 * A PostgreSQL server of its own, in a temporary folder on a free port; null where it is not
 * installed. `settings` replaces those that make it fast and forgetful.
 */
export async function startPostgres(settings: string[] = FORGETFUL): Promise<Postgres | null> {
  const binaries = findBinaries()
  if (!binaries) return null
  return run(binaries, await mkdtemp(join(tmpdir(), 'haat-postgres-')), settings)
}
