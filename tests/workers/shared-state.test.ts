/** Several processes behave as one shop: limits, changes and metrics. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { Agent } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { type OpenDatabase, openDatabase } from '#db/connect.ts'
import { testFolder } from '#tests/support/test-folder.ts'
import { addPerson } from '../support/accounts.ts'
import { freePort } from '../support/free-port.ts'
import { addOrder } from '../support/orders.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { type ShopProcess, startShopProcess } from '../support/shop-process.ts'
import { askBy, connectionsTo, untilServedBy, workersOf } from '../support/workers.ts'

const WORKERS = 3

const folder = testFolder()
let postgres: Postgres | null
let opened: OpenDatabase
let shop: ShopProcess
let metricsPort: number
let connections: Agent[]

const start = (settings: Record<string, string>) =>
  startShopProcess({
    DATABASE_URL: postgres?.url ?? '',
    DATA_DIR: folder,
    SANDBOX_SECRET: 's',
    DEMO: 'off',
    WORKERS: String(WORKERS),
    RATE_LIMIT: 'on',
    ...settings,
  })

beforeAll(async () => {
  postgres = await startPostgres()
  if (!postgres) return
  metricsPort = await freePort()
  shop = await start({ METRICS_PORT: String(metricsPort) })
  opened = await openDatabase({ databaseUrl: postgres.url, dataDir: '' })
  await untilServedBy(shop, WORKERS)
  connections = await connectionsTo(shop)
}, 120_000)
afterAll(async () => {
  for (const connection of connections ?? []) connection.destroy()
  await shop?.stop()
  await opened?.close()
  await postgres?.stop()
})
beforeEach(({ skip }) => {
  if (!postgres) skip('PostgreSQL is not installed here, and several processes need it.')
})

/**
 * Sends so many failing registrations over each connection; returns the statuses and their counts.
 */
async function knock(each: { shop: ShopProcess; agent: Agent }[], times: number) {
  const statuses: Record<number, number> = {}
  const call = { method: 'POST', body: {} }
  for (let time = 0; time < times; time += 1) {
    const answers = each.map(({ agent, shop }) =>
      askBy(agent, shop, `${API_PREFIX}/auth/register`, call),
    )
    for (const { status } of await Promise.all(answers))
      statuses[status] = (statuses[status] ?? 0) + 1
  }
  return statuses
}

describe('a limit', () => {
  it('is counted by all workers together', async () => {
    const each = connections.map((agent) => ({ shop, agent }))
    expect(await knock(each, 40)).toEqual({ 400: 100, 429: 20 })
  })
})

describe("an admin's change", () => {
  it('is seen through every worker within a second', async () => {
    const { token } = await addPerson(opened.db, { admin: true })
    const path = `${API_PREFIX}/category/get-category`
    const [one, ...others] = connections
    const names = ['Baskets', 'Cloth', 'Lamps']
    for (const name of names) {
      for (const agent of connections) await askBy(agent, shop, path)
      const call = { method: 'POST', token, body: { name } }
      const made = await askBy(one ?? false, shop, `${API_PREFIX}/category/create-category`, call)
      expect(made.status).toBe(201)
      expect((await askBy(one ?? false, shop, path)).text).toContain(name)
      for (const agent of others) {
        const seen = async () => (await askBy(agent, shop, path)).text
        await expect.poll(seen, { interval: 20 }).toContain(name)
      }
    }
  })
})

describe('the metrics', () => {
  const scrape = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const read = async (name: string) => {
    const line = (await scrape()).split('\n').find((found) => found.startsWith(`${name} `))
    return line && Number(line.split(' ').at(-1))
  }
  const ABOUT = 'haat_http_requests_total{method="GET",route="/about",status="200"}'

  it('add up what the workers count', async () => {
    for (const agent of connections) await askBy(agent, shop, '/about')
    for (const agent of connections) await askBy(agent, shop, '/about')
    expect(await read(ABOUT)).toBe(2 * WORKERS)
    expect(await read('haat_workers')).toBe(WORKERS)
    expect(await scrape()).toMatch(/^process_resident_memory_bytes \d/m)
  })

  it('count the database once', async () => {
    await addOrder(opened.db, await addPerson(opened.db), { status: 'Processing' })
    expect(await read('haat_orders{state="Processing"}')).toBe(1)
    expect(await read('haat_database_up')).toBe(1)
  })

  it('count a worker that dies', async () => {
    expect(await read('haat_worker_restarts_total')).toBe(0)
    const [victim = 0] = workersOf(shop)
    process.kill(victim, 'SIGKILL')
    const restarts = () => read('haat_worker_restarts_total')
    // a scrape waits up to five seconds for the new worker
    await expect.poll(restarts, { timeout: 30_000 }).toBe(1)
  })
})

const hasRedis = spawnSync('redis-server', ['--version']).status === 0

describe.runIf(hasRedis)('a limit, with Redis', () => {
  it('is counted by all workers of all machines together', async () => {
    const port = await freePort()
    const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '']
    const redis = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'ignore'] })
    for await (const text of redis.stdout) if (String(text).includes('Ready to accept')) break
    const at = { REDIS_URL: `redis://127.0.0.1:${port}`, WORKERS: '2' }
    const machines = [await start(at), await start(at)]
    const each: { shop: ShopProcess; agent: Agent }[] = []
    for (const machine of machines) {
      await untilServedBy(machine, 2)
      for (const agent of await connectionsTo(machine)) each.push({ shop: machine, agent })
    }
    expect(await knock(each, 30)).toEqual({ 400: 100, 429: 20 })
    for (const { agent } of each) agent.destroy()
    await Promise.all(machines.map((machine) => machine.stop()))
    redis.kill('SIGTERM')
    await once(redis, 'exit')
  })
})
