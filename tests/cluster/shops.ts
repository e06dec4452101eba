import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { type ShopProcess, startShopProcess } from '../support/shop-process.ts'
import { configure, makeFolders, type Place } from './configuration.ts'
import { treeOf } from './processes.ts'
import { controlsOf, type Machine, machineOf, type Program, programOf } from './program.ts'

const REPLICAS = 2

/** A machine with the shop, PgBouncer, and HAProxy before the primary. */
export type ShopMachine = Machine<'haproxy' | 'pgbouncer' | 'shop'> & {
  /** Its own address, e.g. http://127.7.1.21:3000 */
  address: string
  /** Settings of its next start beside those of the cluster; changed by faults. */
  settings: Record<string, string>
  /** The folder of its code at its next start; undefined for this repository. */
  code: string | undefined
  /** The output of the shop since its latest start. */
  output: () => string
}

/** Whether something listens there. */
export const listens = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, host)
    const end = (open: boolean) => {
      socket.destroy()
      resolve(open)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })

/** Until its first checks, HAProxy takes replicas for primaries. */
function knowsPrimary(logFile: string): boolean {
  const found = readFileSync(logFile, 'utf8').match(/Server primary\/\w+ is DOWN/g)
  return new Set(found).size >= REPLICAS
}

/** HAProxy with the configuration of a machine. */
export const haproxyOf = (root: string, name: string, isReady: () => Promise<boolean>) =>
  programOf({
    name,
    command: ['haproxy', '-db', '-f', join(root, 'etc/haproxy/haproxy.cfg')],
    logFile: join(root, 'haproxy.log'),
    isReady,
  })

/** Writes the configuration of a shop's machine. `settings` are read at each start. */
export function shopOf(
  place: Place,
  name: string,
  { settings, code }: { settings: Record<string, string>; code: string | undefined },
): ShopMachine {
  const root = configure(place, name)
  const documented = parseEnv(readFileSync(join(root, 'srv/haat/.env'), 'utf8')) as Record<
    string,
    string
  >
  const { HOST: host = '', PORT: port = '' } = documented
  let running: ShopProcess | undefined
  const start = async () => {
    // of the shop's user, unlike the folders of servers
    makeFolders(root, ['data'])
    const own = { DATA_DIR: join(root, 'data'), DRAIN_SECONDS: '2', ...documented }
    running = await startShopProcess({ ...own, ...machine.settings }, machine.code)
  }
  const pids = () => (running?.pid && running.isAlive() ? treeOf(running.pid) : [])
  const shop: Program = {
    ...controlsOf(name, pids),
    start,
    stop: async () => {
      await running?.stop()
    },
  }
  const pgbouncer = programOf({
    name: `PgBouncer of ${name}`,
    command: ['pgbouncer', join(root, 'etc/pgbouncer/pgbouncer.ini')],
    logFile: join(root, 'pgbouncer.log'),
    isReady: () => listens(host, 6432),
  })
  const haproxy = haproxyOf(
    root,
    `HAProxy of ${name}`,
    async () => (await listens(host, 5000)) && knowsPrimary(join(root, 'haproxy.log')),
  )
  const machine: ShopMachine = {
    ...machineOf(name, { haproxy, pgbouncer, shop }),
    address: `http://${host}:${port}`,
    settings: { ...settings },
    code,
    output: () => running?.written() ?? '',
  }
  return machine
}
