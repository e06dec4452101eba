import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { findBinaries } from '../support/postgres.ts'

const DEPLOY = fileURLToPath(new URL('../../deploy/cluster/', import.meta.url))

/** The folder of pgBackRest's backups, which all machines mount. */
const SHARED = '/mnt/backup'

/** Where the machines of this cluster are: a network of loopback addresses, and a folder. */
export type Place = {
  folder: string
  /** The first three numbers of the addresses, e.g. 127.7.1 */
  network: string
  /** The names of the shops' machines. */
  shops: string[]
  synchronous: boolean
}

/** A network of its own for each process. */
export const networkOf = (pid: number) => `127.${1 + (pid % 250)}.${1 + ((pid >> 8) % 250)}`

export const rootOf = ({ folder }: Place, machine: string) => join(folder, machine)

/** The values of cluster.env, with the addresses of this cluster. */
export function valuesOf({ network, shops }: Place): Record<string, string> {
  const values = parseEnv(
    readFileSync(join(DEPLOY, 'cluster.env'), 'utf8').replaceAll('10.0.0', network),
  )
  const machines = shops.map((name, n) => [name.toUpperCase(), `${network}.${21 + n}`])
  return { ...Object.fromEntries(machines), ...values } as Record<string, string>
}

/** One line for each shop, made of that of the first. */
function listShops(text: string, { shops, network }: Place): string {
  const own = (line: string) =>
    shops.map((name, n) =>
      line.replaceAll('shop1', name).replaceAll(`${network}.21`, `${network}.${21 + n}`),
    )
  const lines = text.split('\n').filter((line) => !line.includes('server shop2'))
  return lines.flatMap((line) => (line.includes('server shop1') ? own(line) : [line])).join('\n')
}

/** The names, ports and folders of a machine in production, replaced by those of this cluster. */
function adapt(text: string, place: Place, machine: string, address: string): string {
  const { folder, network } = place
  const root = rootOf(place, machine)
  const adapted = text
    .replace(/(?<![\w.])\/(etc|var|run|dev|srv)\//g, `${root}/$1/`)
    .replaceAll('/usr/lib/postgresql/15/bin', findBinaries() ?? '')
    // several shops' machines are on one loopback interface
    .replaceAll('127.0.0.1', address)
    // connections come from this address, whatever machine they stand for
    .replaceAll(new RegExp(`${network}\\.\\d+/32`, 'g'), '127.0.0.1/32')
    .replace(/^TRUST_PROXY=.*/m, 'TRUST_PROXY=127.0.0.1')
    .replace('HOST=0.0.0.0', `HOST=${address}`)
    // the tests run it as another user
    .replace(/^ {2}(user|group) haproxy\n/gm, '')
    .replace('bind :80,:::80 v6only', `bind ${address}:8080`)
    // the tests' clients use no TLS
    .replace('bind :443,:::443 v6only', `bind ${address}:3000\n  bind ${address}:8443`)
    // the memory is not as large as a real machine's
    .replace('shared_buffers: 1GB', 'shared_buffers: 128MB')
    // nor are the disks
    .replace('max_wal_size: 2GB', 'max_wal_size: 1GB')
    .replace('synchronous_mode: true', `synchronous_mode: ${place.synchronous}`)
    .replaceAll(SHARED, join(folder, 'backup'))
  return listShops(process.getuid?.() === 0 ? adapted : adapted.replace(' peer', ' trust'), place)
}

/** Writes the configuration of a machine by deploy/cluster/install; returns the machine's root folder. */
export function configure(place: Place, machine: string): string {
  const root = rootOf(place, machine)
  const values = valuesOf(place)
  const valuesFile = join(place.folder, 'cluster.env')
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}`)
  writeFileSync(valuesFile, `${lines.join('\n')}\n`)
  const env = { ...process.env, ROOT: root, VALUES: valuesFile }
  execFileSync(join(DEPLOY, 'install'), [machine], { env, stdio: 'pipe' })
  const address = values[machine.toUpperCase()] ?? ''
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
    const path = join(parentPath, name)
    writeFileSync(path, adapt(readFileSync(path, 'utf8'), place, machine, address))
  }
  return root
}

/** Makes the folders that packages make on a machine. */
export function makeFolders(root: string, folders: string[]): void {
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true, mode: 0o700 })
}
