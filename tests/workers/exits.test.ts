/** Exits of worker processes: killed, stopped, orphaned, or failing at the start. */
import { Agent } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testFolder } from '#tests/support/test-folder.ts'
import { freePort } from '../support/free-port.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { type ShopProcess, startShopProcess } from '../support/shop-process.ts'
import { type Answer, askBy, untilServedBy, workersOf } from '../support/workers.ts'

const WORKERS = 2
const CLIENTS = 8

const folder = testFolder()
let postgres: Postgres | null

const start = (settings: Record<string, string> = {}) =>
  startShopProcess({
    DATABASE_URL: postgres?.url ?? '',
    DATA_DIR: folder,
    SANDBOX_SECRET: 's',
    DEMO: 'off',
    WORKERS: String(WORKERS),
    ...settings,
  })

beforeAll(async () => {
  postgres = await startPostgres()
}, 120_000)
afterAll(() => postgres?.stop())
beforeEach(({ skip }) => {
  if (!postgres) skip('PostgreSQL is not installed here, and several processes need it.')
})

/**
 * The failures of a client that sends requests continuously, over a new connection every few
 * requests.
 */
type Met = { statuses: number[]; errors: string[]; last?: Answer }

async function askOnAndOn(
  shop: ShopProcess,
  isWelcome: (met: Met) => boolean,
  met: Met = { statuses: [], errors: [] },
): Promise<Met> {
  let agent = new Agent({ keepAlive: true })
  for (let asked = 0; isWelcome(met); asked += 1) {
    if (asked % 5 === 0) {
      agent.destroy()
      agent = new Agent({ keepAlive: true })
    }
    // cached or rendered
    const path = asked % 2 ? '/about' : `/api/v1/product/search/word${asked}`
    try {
      met.last = await askBy(agent, shop, path)
      met.statuses.push(met.last.status)
    } catch (error) {
      met.errors.push(Object(error).code)
    }
  }
  agent.destroy()
  return met
}

/** Waits until each client has got ten answers more. */
function untilAnswered(clients: Met[]) {
  const before = clients.map(({ statuses }) => statuses.length)
  const more = () => clients.map(({ statuses }, n) => statuses.length - (before[n] ?? 0))
  return expect.poll(() => Math.min(...more()), { timeout: 20_000 }).toBeGreaterThan(10)
}

describe('a worker that is killed', () => {
  it('takes with it only what it had in hand, and is replaced', async () => {
    const shop = await start()
    const [victim = 0, survivor = 0] = await untilServedBy(shop, WORKERS)
    let isWelcome = true
    const clients = Array.from({ length: CLIENTS }, (): Met => ({ statuses: [], errors: [] }))
    const load = clients.map((met) => askOnAndOn(shop, () => isWelcome, met))
    await untilAnswered(clients)
    process.kill(victim, 'SIGKILL')
    await untilAnswered(clients)
    await expect.poll(shop.output).toContain('a worker process ended by SIGKILL; restarting in ')
    const [other = 0] = (await untilServedBy(shop, WORKERS)).filter((pid) => pid !== survivor)
    isWelcome = false
    for (const { statuses, errors } of await Promise.all(load)) {
      expect(statuses.filter((status) => status !== 200)).toEqual([])
      // each has one request in flight at a time
      expect(errors.length).toBeLessThanOrEqual(1)
      expect(errors.filter((code) => code !== 'ECONNRESET')).toEqual([])
    }
    expect(other).not.toBe(victim)
    expect(await shop.stop()).toBe(0)
  })
})

describe('SIGTERM', () => {
  it('stops all workers under load without an error that anybody sees', async () => {
    const shop = await start({ DRAIN_SECONDS: '1' })
    await untilServedBy(shop, WORKERS)
    let isReady = true
    // like a proxy that checks readiness, and closes ended connections
    const isWelcome = ({ last }: Met) => isReady || last?.headers.connection !== 'close'
    const load = Array.from({ length: CLIENTS }, () => askOnAndOn(shop, isWelcome))
    await setTimeout(500)
    const ended = shop.stop()
    const ready = async () => (await askBy(false, shop, '/readyz')).status
    await expect.poll(ready, { interval: 50 }).toBe(503)
    isReady = false
    for (const { statuses, errors } of await Promise.all(load)) {
      expect(errors).toEqual([])
      expect(statuses.filter((status) => status !== 200)).toEqual([])
    }
    expect(await ended).toBe(0)
  })

  it('that one worker alone is sent ends it, and it is replaced', async () => {
    const shop = await start()
    const [first = 0] = await untilServedBy(shop, WORKERS)
    process.kill(first, 'SIGTERM')
    await expect.poll(() => workersOf(shop), { timeout: 10_000 }).not.toContain(first)
    await untilServedBy(shop, WORKERS)
    expect(await shop.stop()).toBe(0)
  })
})

it('the workers do not outlive the first process', async () => {
  const shop = await start()
  const workers = await untilServedBy(shop, WORKERS)
  await shop.kill()
  const isThere = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  await expect.poll(() => workers.filter(isThere)).toEqual([])
})

describe('a shop of several processes that cannot start', () => {
  it('says so once where its port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as AddressInfo
    const starting = start({ PORT: String(port) })
    await expect(starting).rejects.toThrow(
      /^The shop ended with 1 while it started:\nPORT \d+ on HOST 127\.0\.0\.1 cannot be listened on: .*EADDRINUSE.*\n$/,
    )
    taken.close()
  })

  it('says so once where the port of the metrics is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as AddressInfo
    await expect(start({ METRICS_PORT: String(port) })).rejects.toThrow(
      /^The shop ended with 1 while it started:\nMETRICS_PORT \d+ cannot be listened on: .*\n$/,
    )
    taken.close()
  })

  it('says so once where there is no database', async () => {
    const nobody = `postgres://nobody@127.0.0.1:${await freePort()}/shop`
    await expect(start({ DATABASE_URL: nobody })).rejects.toThrow(
      /^The shop ended with 1 while it started:\nThe database at DATABASE_URL cannot be used: .*\n$/,
    )
  })
})
