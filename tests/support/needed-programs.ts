/**
 * `node tests/support/needed-programs.ts SUITE`: a suite that is asked for by name and cannot run is not green. Prints
 * all that it needs and that is missing here, and ends with 1.
 */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findBinaries } from './postgres.ts'

/** The programs of each suite, and their Debian packages. */
const PROGRAMS = {
  postgres: { PostgreSQL: 'postgresql' },
  pgbouncer: { PostgreSQL: 'postgresql', pgbouncer: 'pgbouncer' },
  cluster: {
    PostgreSQL: 'postgresql',
    patroni: 'patroni python3-etcd',
    etcd: 'etcd-server',
    pgbouncer: 'pgbouncer',
    haproxy: 'haproxy',
    'redis-server': 'redis-server',
    pgbackrest: 'pgbackrest',
    envsubst: 'gettext-base',
    openssl: 'openssl',
    libfaketime: 'libfaketime',
  },
  image: {
    buildah: 'buildah',
    debootstrap: 'debootstrap',
    npm: 'npm',
    podman: 'podman',
    runc: 'runc',
    'podman-compose': 'podman-compose',
  },
} satisfies Record<string, Record<string, string>>

export type Suite = keyof typeof PROGRAMS

// a user's PATH may leave out the folders of servers
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']

/** Libraries that show a process another time. */
const FAKE_TIMES = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
]
export const findFakeTime = () => FAKE_TIMES.find(existsSync)

function isInstalled(program: string): boolean {
  if (program === 'PostgreSQL') return findBinaries() !== undefined
  if (program === 'libfaketime') return findFakeTime() !== undefined
  return FOLDERS.some((folder) => existsSync(join(folder, program)))
}

/** One line about all that a suite needs and that is missing here; undefined if nothing is. */
export function missingFor(suite: Suite): string | undefined {
  const missing = Object.entries(PROGRAMS[suite]).filter(([program]) => !isInstalled(program))
  const names = missing.map(([program]) => program).join(', ')
  const packages = missing.map(([, name]) => name).join(' ')
  const lines = [
    ...(missing.length > 0 ? [`${names} not found. On Debian: apt install ${packages}`] : []),
    ...(suite === 'image' && process.getuid?.() !== 0 ? ['debootstrap has to be run as root'] : []),
  ]
  return lines.length > 0 ? `The suite ${suite} cannot run: ${lines.join('; ')}` : undefined
}

/** Throws what `missingFor` says. */
export function demandPrograms(suite: Suite) {
  const missing = missingFor(suite)
  if (missing) throw new Error(missing)
}

if (import.meta.main) {
  const missing = missingFor(process.argv[2] as Suite)
  if (missing) {
    process.stderr.write(`${missing}\n`)
    process.exitCode = 1
  }
}
