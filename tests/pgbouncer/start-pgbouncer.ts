import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../support/free-port.ts'

/** Fewer server connections than the shop has, so that its processes share sessions. */
const SERVER_CONNECTIONS = 4

const READY = 'process up'

/** A PgBouncer in transaction mode in front of the PostgreSQL at `url`. Throws where it is not installed. */
export async function startPgbouncer(url: string) {
  const { hostname, port: postgresPort, username, pathname } = new URL(url)
  const folder = await mkdtemp(join(tmpdir(), 'haat-pgbouncer-'))
  const port = await freePort()
  const settings = `
    [databases]
    shop = host=${hostname} port=${postgresPort} user=${username} dbname=${pathname.slice(1)}
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = ${port}
    unix_socket_dir =
    auth_type = any
    pool_mode = transaction
    default_pool_size = ${SERVER_CONNECTIONS}
    max_client_conn = 200
  `
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, settings.replace(/^ +/gm, ''))
  // it refuses to run as root
  await chmod(folder, 0o755)
  const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  const server = spawn('pgbouncer', [...user, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`PgBouncer did not start:\n${log}`)))
    server.stderr.on('data', (chunk: Buffer) => {
      log += chunk
      if (log.includes(READY)) resolve()
    })
  })
  return {
    url: `postgres://${username}@127.0.0.1:${port}/shop`,
    async stop() {
      const ended = once(server, 'exit')
      server.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}
