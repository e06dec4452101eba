import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configure, makeFolders, networkOf, type Place, valuesOf } from './configuration.ts'
import {
  answers,
  type Database,
  databaseOf,
  membersOf,
  primaryOf,
  whenReplicated,
} from './databases.ts'
import { type Program, programOf, serverUser } from './program.ts'
import { haproxyOf, listens, type ShopMachine, shopOf } from './shops.ts'
import { until } from './until.ts'

/** The cluster of deploy/cluster, on loopback addresses and in a temporary folder. */
export type Cluster = {
  /** HAProxy before the shops, e.g. http://127.7.1.2:3000 */
  address: string
  /** HAProxy before the shops. */
  proxy: Program
  redis: Program
  /** `programs.pgbouncer` and `programs.haproxy` (frozen: a network cut to the databases) are a shop's own. */
  shops: ShopMachine[]
  /** etcd, Patroni and PostgreSQL each. */
  databases: Database[]
  folder: string
  /** The machine whose PostgreSQL accepts writes; waits until there is one. */
  primary: () => Promise<Database>
  /** The replica that commits wait for; undefined while there is none. */
  synchronousReplica: () => Promise<Database | undefined>
  /** Waits until both replicas follow the primary. */
  replicated: () => Promise<void>
  /** The shop's role, through the PgBouncer of the first shop. */
  databaseUrl: string
  /** The shop's role on PostgreSQL itself, on the primary of now. */
  primaryUrl: () => Promise<string>
  stop: () => Promise<void>
}

export type ClusterOptions = {
  /** Patroni's synchronous_mode: on as documented. */
  synchronous?: boolean
  /** How many shops' machines there are: 2 as documented. */
  shops?: number
  /** The folder of each shop's code; this repository where there is none. */
  shopRoots?: string[]
  /** Settings of all shops beside those of the cluster. */
  shopSettings?: Record<string, string>
  /** The disk of each PostgreSQL is as small as this, in MB. */
  diskMb?: number
}

const SQL_FILE = fileURLToPath(new URL('../../deploy/cluster/database.sql', import.meta.url))

/** TLS, HAProxy before the shops, and Redis. */
function frontOf(place: Place) {
  const root = configure(place, 'front')
  makeFolders(root, ['var/lib/redis'])
  const pem = join(root, 'etc/haproxy/shop.pem')
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost']
  execFileSync('openssl', [...request, '-keyout', pem, '-out', `${pem}.crt`], { stdio: 'pipe' })
  execFileSync('sh', ['-c', 'cat "$1.crt" >> "$1"', 'sh', pem])
  const { FRONT: host = '' } = valuesOf(place)
  const address = `http://${host}:3000`
  return {
    address,
    redis: programOf({
      name: 'Redis',
      command: ['redis-server', join(root, 'etc/redis/redis.conf')],
      logFile: join(root, 'redis.log'),
      isReady: () => listens(host, 6379),
    }),
    proxy: haproxyOf(root, 'HAProxy', () => listens(host, 3000)),
  }
}

/** The database of the shop, and the archive, as deploy/cluster/README.md makes them. */
async function createDatabase(place: Place, primary: Database) {
  const { SHOP_PASSWORD: password = '' } = valuesOf(place)
  const statements = await readFile(SQL_FILE, 'utf8')
  for (const statement of statements.replace(":'password'", `'${password}'`).split(';'))
    if (statement.trim()) await primary.sql(statement)
  await primary.run('pgbackrest', '--stanza=haat', 'stanza-create')
}

function ownFolder(folder: string) {
  const user = serverUser()
  if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, `${folder}/`])
}

async function openCluster(place: Place, options: ClusterOptions): Promise<Cluster> {
  const { synchronous = true, shopRoots = [], shopSettings: settings = {}, diskMb } = options
  const front = frontOf(place)
  const databases: Database[] = []
  for (const name of ['db1', 'db2', 'db3']) databases.push(await databaseOf(place, name, diskMb))
  const shops = place.shops.map((name, n) => shopOf(place, name, { settings, code: shopRoots[n] }))
  mkdirSync(join(place.folder, 'backup'))
  for (const { disk } of databases) if (disk) ownFolder(disk.folder)
  ownFolder(place.folder)
  const machines: Program[] = [...databases, front.redis, ...shops, front.proxy]
  // also when it is interrupted
  const discard = () => rmSync(place.folder, { recursive: true, force: true })
  process.once('exit', discard)
  const primary = () => primaryOf(databases)
  const replicated = () => whenReplicated(databases, synchronous)
  const urlAt = (host: string) => `postgres://haat:${valuesOf(place).SHOP_PASSWORD}@${host}/haat`
  return {
    ...front,
    shops,
    databases,
    folder: place.folder,
    primary,
    replicated,
    synchronousReplica: async () => {
      const found = (await membersOf(databases)).find(({ role }) => role === 'sync_standby')
      return databases.find(({ name }) => name === found?.name)
    },
    databaseUrl: urlAt(`${place.network}.21:6432`),
    primaryUrl: async () => urlAt(`${(await primary()).address}:5432`),
    stop: async () => {
      for (const machine of machines.toReversed()) await machine.kill()
      for (const { disk } of databases) await disk?.unmount()
      await rm(place.folder, { recursive: true })
      process.off('exit', discard)
    },
  }
}

/** Starts everything in the order of deploy/cluster/README.md; resolves when the proxy serves pages. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'haat-cluster-'))
  const names = Array.from({ length: options.shops ?? 2 }, (_, n) => `shop${n + 1}`)
  const { synchronous = true } = options
  const place = { folder, network: networkOf(process.pid), shops: names, synchronous }
  const cluster = await openCluster(place, options)
  const { databases, shops, redis, proxy, address } = cluster
  try {
    await Promise.all(databases.map((database) => database.start()))
    await createDatabase(place, await cluster.primary())
    await cluster.replicated()
    await redis.start()
    await Promise.all(shops.map((shop) => shop.start()))
    await proxy.start()
    await until('the shop does not answer', () => answers(address))
    return cluster
  } catch (error) {
    await cluster.stop()
    throw error
  }
}
