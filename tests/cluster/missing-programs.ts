import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findBinaries } from '../support/postgres.ts'

/** The programs of the cluster, and their Debian packages. */
const PACKAGES = {
  patroni: 'patroni python3-etcd',
  etcd: 'etcd-server',
  pgbouncer: 'pgbouncer',
  haproxy: 'haproxy',
  'redis-server': 'redis-server',
  pgbackrest: 'pgbackrest',
  envsubst: 'gettext-base',
  openssl: 'openssl',
}

// a user's PATH may leave out the folders of servers
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']

const isInstalled = (program: string) =>
  FOLDERS.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** One line about programs that the cluster needs and that are missing here; undefined if none are. */
export function missingPrograms(): string | undefined {
  const missing = Object.entries(PACKAGES).filter(([program]) => !isInstalled(program))
  const postgres = findBinaries() ? [] : [['PostgreSQL', 'postgresql']]
  const all = [...postgres, ...missing]
  if (all.length === 0) return undefined
  const names = all.map(([program]) => program).join(', ')
  const packages = all.map(([, name]) => name).join(' ')
  return `Skipped: ${names} not found. On Debian: apt install ${packages}`
}
