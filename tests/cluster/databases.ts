import { execFile } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts'
import { configure, makeFolders, type Place, valuesOf } from './configuration.ts'
import { killAll, postmasterOf, treeOf } from './processes.ts'
import { type Machine, machineOf, programOf, serverUser } from './program.ts'
import { until } from './until.ts'

const run = promisify(execFile)

/** A machine with etcd, Patroni and PostgreSQL. */
export type Database = Machine<'etcd' | 'patroni'> & {
  address: string
  /** SIGKILL to PostgreSQL alone; Patroni stays. */
  killPostgres: () => Promise<void>
  /** Runs a command as the user of PostgreSQL, with the settings of this machine's pgBackRest. */
  run: (file: string, ...args: string[]) => Promise<string>
  /** Runs SQL as the superuser, through the socket. */
  sql: (statement: string) => Promise<string>
  /** The folder of this machine's configuration and data. */
  root: string
  /** The disk of PostgreSQL's data, if it is a small one. */
  disk?: SmallDisk
}

export const answers = async (url: string) => (await fetch(url)).ok

const FOLDERS = ['var/lib/etcd', 'var/lib/postgresql', 'var/log/pgbackrest', 'run/postgresql']

async function smallDisk(root: string, sizeMb: number): Promise<SmallDisk> {
  const disk = await mountSmallDisk(sizeMb)
  if (!disk) throw new Error('A small disk cannot be mounted here.')
  makeFolders(root, ['var/lib'])
  symlinkSync(disk.folder, join(root, 'var/lib/postgresql'))
  return disk
}

/** Writes the configuration of a database's machine. */
export async function databaseOf(place: Place, name: string, diskMb?: number): Promise<Database> {
  const root = configure(place, name)
  const address = valuesOf(place)[name.toUpperCase()] ?? ''
  const disk = diskMb ? await smallDisk(root, diskMb) : undefined
  const missing = FOLDERS.filter((folder) => !existsSync(join(root, folder)))
  makeFolders(root, missing)
  const data = join(root, 'var/lib/postgresql/haat')
  const environment = {
    HOME: root,
    LC_ALL: 'C.UTF-8',
    PGBACKREST_CONFIG: join(root, 'etc/pgbackrest.conf'),
  }
  const etcd = programOf({
    name: `etcd of ${name}`,
    command: ['etcd', '--config-file', join(root, 'etc/etcd/haat.yml')],
    logFile: join(root, 'etcd.log'),
    // alone it is not healthy yet
    isReady: async () => (await fetch(`http://${address}:2379/version`)).ok,
  })
  const postmasters = () => {
    const pid = postmasterOf(data)
    return pid ? [pid] : []
  }
  const patroni = programOf({
    name: `Patroni of ${name}`,
    command: ['patroni', join(root, 'etc/patroni/config.yml')],
    environment,
    logFile: join(root, 'patroni.log'),
    isReady: () => answers(`http://${address}:8008/readiness`),
    others: postmasters,
  })
  const runHere = async (file: string, ...args: string[]) => {
    const env = { ...process.env, ...environment }
    return (await run(file, args, { ...serverUser(), cwd: root, env })).stdout
  }
  const psql = [
    '-h',
    join(root, 'run/postgresql'),
    '-U',
    'postgres',
    '-XAtq',
    '-v',
    'ON_ERROR_STOP=1',
  ]
  return {
    ...machineOf(name, { etcd, patroni }),
    address,
    root,
    killPostgres: () => killAll(() => postmasters().flatMap(treeOf)),
    run: runHere,
    sql: async (statement) => (await runHere('psql', ...psql, '-c', statement)).trim(),
    ...(disk && { disk }),
  }
}

type Member = { name: string; role: string; state: string }

/** The members of the cluster, as the first Patroni that answers reports them. */
export async function membersOf(databases: Database[]): Promise<Member[]> {
  const reports = databases.map(async ({ address }) => {
    const answer = await fetch(`http://${address}:8008/cluster`, {
      signal: AbortSignal.timeout(2000),
    })
    const { members } = (await answer.json()) as { members: Member[] }
    return members
  })
  return Promise.any(reports)
}

/** The machine whose PostgreSQL accepts writes, as Patroni says; waits until there is one. */
export async function primaryOf(databases: Database[]): Promise<Database> {
  let found: Database | undefined
  await until('there is no primary', async () => {
    const checked = await Promise.allSettled(
      databases.map(({ address }) =>
        fetch(`http://${address}:8008/primary`, { signal: AbortSignal.timeout(2000) }),
      ),
    )
    const n = checked.findIndex((one) => one.status === 'fulfilled' && one.value.ok)
    found = databases[n]
    return found !== undefined
  })
  if (!found) throw new Error('There is no primary.')
  return found
}

/** Waits until both replicas follow, one of them synchronously if that is documented. */
export const whenReplicated = (databases: Database[], synchronous: boolean) =>
  until('the replicas do not follow', async () => {
    const members = await membersOf(databases)
    const following = members.filter(({ state }) => state === 'running' || state === 'streaming')
    const isCopied = !synchronous || members.some(({ role }) => role === 'sync_standby')
    return following.length === databases.length && isCopied
  })
