/** Backups of pgBackRest: the shop of a chosen minute, beside the cluster and then in its place. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { orderCalls } from '#app/orders/contract.ts'
import { callThrough } from '#app/shared/web/call.ts'
import { type OpenDatabase, openDatabase } from '#db/connect.ts'
import { addPerson, type Person, signInAgain } from '../support/accounts.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'
import { demandPrograms } from '../support/needed-programs.ts'
import { buy } from '../support/purchase.ts'
import { type ShopProcess, startShopProcess } from '../support/shop-process.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { answers, type Database } from './databases.ts'
import { until } from './until.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const COPY_PORT = '5433'
const SETTINGS = { PAYMENTS: 'sandbox', SANDBOX_SECRET: 's' }

let cluster: Cluster
let opened: OpenDatabase
let copy: ShopProcess | undefined
let buyer: Person
let product: { _id: string; price: number }

beforeAll(async () => {
  demandPrograms('cluster')
  cluster = await startCluster({ shops: 1, shopSettings: SETTINGS })
  opened = await openDatabase({ databaseUrl: await cluster.primaryUrl(), dataDir: '' })
  const { db } = opened
  buyer = await addPerson(db)
  const category = await addCategory(db, 'Cups')
  const { id } = await addProduct(db, { category, price: 10, quantity: 100 })
  product = { _id: id, price: 10 }
})
afterAll(async () => {
  await copy?.kill()
  await opened?.close()
  await cluster?.stop()
})

const callAt = (address: string) =>
  callThrough(
    (url, init) => fetch(address + url, init),
    () => ({ authorization: buyer.token }),
  )

const buyOne = async () => (await buy({ call: callAt(cluster.address) }, [product]))._id

const ordersAt = async (address: string) =>
  (await callAt(address)(orderCalls.getOrders, { query: {} })).map(({ _id }) => _id).sort()

/** Runs `npm run shop -- …` on a database; resolves with what it prints. */
async function command(databaseUrl: string, ...words: string[]): Promise<string> {
  const env = { ...process.env, ...SETTINGS, DATABASE_URL: databaseUrl, DATA_DIR: cluster.folder }
  const args = ['--disable-warning=ExperimentalWarning', 'bin/shop.ts', ...words]
  return (await promisify(execFile)(process.execPath, args, { cwd: ROOT, env })).stdout
}

async function replicaOf({ databases, primary }: Cluster): Promise<Database> {
  const { name } = await primary()
  const replica = databases.find((database) => database.name !== name)
  if (!replica) throw new Error('There is no replica.')
  return replica
}

/** Makes the copy the shop's database, by the commands of deploy/cluster/README.md. */
async function replaceDatabase(
  copyUrl: string,
  { shops: [shop], primary, folder, address }: Cluster,
) {
  const server = await primary()
  const file = join(folder, 'copy.backup')
  await shop?.programs.shop.stop()
  await command(copyUrl, 'backup', file)
  await server.sql('create database restored owner haat')
  const restoredUrl = new URL(await cluster.primaryUrl())
  restoredUrl.pathname = '/restored'
  await command(restoredUrl.href, 'restore', file)
  await shop?.programs.pgbouncer.stop()
  await server.sql('alter database haat rename to haat_before')
  await server.sql('alter database restored rename to haat')
  await shop?.programs.pgbouncer.start()
  await shop?.programs.shop.start()
  await until('the proxy knows no shop that is ready', () => answers(address))
}

it('restores a chosen time beside the cluster, and then in its place', async () => {
  const primary = await cluster.primary()
  const backUp = (type: string) =>
    primary.run('pgbackrest', '--stanza=haat', `--type=${type}`, 'backup')
  const before = [await buyOne()]
  await backUp('full')
  before.push(await buyOne())
  await backUp('incr')
  before.push(await buyOne())
  // sent an hour later by the cluster, and never by the copy
  await opened.db
    .updateTable('emails')
    .set({ state: 'queued', next_attempt_at: sql`now() + interval '1 hour'` })
    .execute()
  const time = await primary.sql('select now()')
  const after = [await buyOne(), await buyOne()]
  // waits until everything written so far is in the archive
  await primary.run('pgbackrest', '--stanza=haat', 'check')

  // as documented: on a machine that is not the primary
  const { root, address, run } = await replicaOf(cluster)
  const environment = `PGHOST=${join(root, 'run/postgresql')}`
  const script = join(ROOT, 'deploy/cluster/restore')
  await run('env', environment, script, time, join(root, 'copy'), COPY_PORT, address)
  const copyUrl = (await cluster.primaryUrl()).replace(/@.*\//, `@${address}:${COPY_PORT}/`)
  const dataDir = join(cluster.folder, 'copy-data')
  copy = await startShopProcess({ ...SETTINGS, DATABASE_URL: copyUrl, DATA_DIR: dataDir })
  expect(await ordersAt(copy.address)).toEqual(before.sort())
  expect(copy.written()).toMatch(/are parked \(3\)/)
  expect(await command(copyUrl, 'doctor')).toContain('Nothing is wrong.')
  expect(await ordersAt(cluster.address)).toEqual([...before, ...after].sort())

  await opened.close()
  await replaceDatabase(copyUrl, cluster)
  opened = await openDatabase({ databaseUrl: await cluster.primaryUrl(), dataDir: '' })
  buyer = await signInAgain(opened.db, buyer)
  expect(await ordersAt(cluster.address)).toEqual(before.sort())
  const one = await buyOne()
  expect(await ordersAt(cluster.address)).toEqual([...before, one].sort())
})
