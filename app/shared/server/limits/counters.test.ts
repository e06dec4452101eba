import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestDatabase } from '#tests/support/database.ts'
import { freePort } from '#tests/support/free-port.ts'
import { testShop } from '#tests/support/shop.ts'
import {
  type CounterStore,
  databaseCounters,
  memoryCounters,
  noCounters,
  redisCounters,
} from './counters.ts'
import { countRequest } from './limits.ts'

/** The contract of every counter store. */
function behaves(store: () => CounterStore) {
  it('counts, and tells for how long', async () => {
    const before = Date.now()
    expect(await store().add('a', 1, 60)).toMatchObject({ count: 1 })
    const { count, leftMs } = await store().add('a', 2, 9)
    expect(count).toBe(3)
    const endsIn = before + 60_000 - Date.now()
    expect(leftMs).toBeGreaterThan(endsIn - 1000)
    expect(leftMs).toBeLessThanOrEqual(60_000)
  })

  it('reads without counting, and creates nothing by reading', async () => {
    expect(await store().add('b', 0, 60)).toEqual({ count: 0, leftMs: 0 })
    await store().add('b', 1, 60)
    expect(await store().add('b', 0, 60)).toMatchObject({ count: 1 })
  })

  it('gives points back, never below 0', async () => {
    expect(await store().add('c', -1, 60)).toEqual({ count: 0, leftMs: 0 })
    await store().add('c', 1, 60)
    expect(await store().add('c', -2, 60)).toMatchObject({ count: 0 })
    expect(await store().add('c', 1, 60)).toMatchObject({ count: 1 })
  })

  it('gives points back at the same time, never below 0', async () => {
    await store().add('g', 1, 60)
    await Promise.all([1, 2, 3].map(() => store().add('g', -1, 60)))
    expect(await store().add('g', 1, 60)).toMatchObject({ count: 1 })
  })

  it('forgets what is deleted, and what has expired', async () => {
    await store().add('d', 5, 60)
    await store().delete('d')
    expect(await store().add('d', 1, 60)).toMatchObject({ count: 1 })
    await store().add('e', 5, 1)
    await setTimeout(1100)
    expect(await store().add('e', 0, 60)).toEqual({ count: 0, leftMs: 0 })
    expect(await store().add('e', 1, 60)).toMatchObject({ count: 1 })
  })

  it('counts each of many at once', async () => {
    const counts = await Promise.all(Array.from({ length: 50 }, () => store().add('f', 1, 60)))
    expect(new Set(counts.map(({ count }) => count)).size).toBe(50)
  })
}

describe('counters in memory', () => {
  const store = memoryCounters()
  behaves(() => store)

  it('are at most so many', async () => {
    const small = memoryCounters(100)
    for (let n = 0; n < 1000; n++) await small.add(`key ${n}`, 1, 100)
    const kept = await Promise.all(
      Array.from({ length: 1000 }, (_, n) => small.add(`key ${n}`, 0, 1)),
    )
    expect(kept.filter(({ count }) => count > 0)).toHaveLength(100)
  })
})

describe('the oldest counter, which is evicted', () => {
  it('is not one that began anew after its end', async () => {
    const two = memoryCounters(2)
    await two.add('a', 1, 1)
    await two.add('b', 1, 60)
    await setTimeout(1100)
    await two.add('a', 1, 60)
    await two.add('c', 1, 60)
    expect(await two.add('a', 0, 60)).toMatchObject({ count: 1 })
    expect(await two.add('b', 0, 60)).toMatchObject({ count: 0 })
  })
})

describe('a partition of counters', () => {
  it('is evicted by no flood of other keys', async () => {
    const all = memoryCounters(100)
    await all.partition('answer').add('a', 5, 60)
    for (let n = 0; n < 1000; n++) {
      await all.add(`key ${n}`, 1, 60)
      await all.partition('password').add(`key ${n}`, 1, 60)
    }
    expect(await all.partition('answer').add('a', 0, 60)).toMatchObject({ count: 5 })
  })
})

describe('a request above a limit', () => {
  const network = { key: 'network', max: 2, seconds: 60 }
  const from = (address: string) => [{ key: address, max: 1, seconds: 60 }, network]

  it('is refused without counters of its address being made', async () => {
    const counters = memoryCounters()
    await countRequest(counters, from('a'))
    await countRequest(counters, from('b'))
    await expect(countRequest(counters, from('c'))).rejects.toThrow('Too many requests.')
    await expect(countRequest(counters, from('d'))).rejects.toThrow('Too many requests.')
    expect(await counters.add('d', 0, 60)).toMatchObject({ count: 0 })
    await countRequest(counters, [{ key: 'd', max: 1, seconds: 60 }])
  })

  it('is served again when the limit has ended', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const counters = memoryCounters()
    for (const address of ['a', 'b']) await countRequest(counters, from(address))
    await expect(countRequest(counters, from('c'))).rejects.toThrow('Too many requests.')
    vi.advanceTimersByTime(61_000)
    await countRequest(counters, from('c'))
    vi.useRealTimers()
  })
})

describe('counters in the database', () => {
  const shop = testShop()
  let store: CounterStore
  beforeAll(() => {
    store = databaseCounters(shop.db)
  })
  behaves(() => store)

  it('are shared by every process', async () => {
    await store.add('shared', 1, 60)
    expect(await databaseCounters(shop.db).add('shared', 1, 60)).toMatchObject({ count: 2 })
  })
})

it('counters in a database that does not answer fail nobody', async () => {
  const { db, close } = await openTestDatabase()
  const store = databaseCounters(db)
  await close()
  expect((await store.add('a', 1, 60)).count).toBe(1)
  expect((await store.add('a', 1, 60)).count).toBe(2)
  await store.delete('a')
  expect((await store.add('a', 0, 60)).count).toBe(0)
})

describe('no counters', () => {
  it('never count', async () => {
    expect(await noCounters.add('a', 100, 60)).toEqual({ count: 0, leftMs: 0 })
  })
})

/** A log, and the messages written to it. */
function recordedLog() {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line).msg) }
  return { lines, log: Fastify({ logger: { level: 'info', stream } }).log }
}

const OUTAGE = 'Redis does not answer: each process counts limits for itself'
const BACK = 'Redis answers again: limits are counted there'

it('counters in a Redis that is not there are in memory; it is logged once', async () => {
  const { lines, log } = recordedLog()
  const { counters, close } = await redisCounters(`redis://127.0.0.1:${await freePort()}`, log)
  expect((await counters.add('a', 1, 60)).count).toBe(1)
  expect((await counters.add('a', 1, 60)).count).toBe(2)
  await counters.delete('a')
  expect((await counters.add('a', 1, 60)).count).toBe(1)
  expect(lines).toEqual([OUTAGE])
  close()
})

const hasRedis = spawnSync('redis-server', ['--version']).status === 0

describe.runIf(hasRedis)('counters in Redis', () => {
  let url = ''
  let server: ChildProcess
  const start = async (port: number) => {
    const settings = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
    const started = spawn('redis-server', settings.map(String), {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    for await (const text of started.stdout) if (String(text).includes('Ready to accept')) break
    server = started
  }
  const stop = async () => {
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
  let store: CounterStore = noCounters
  let close = () => {}
  let port = 0
  const { lines, log } = recordedLog()
  beforeAll(async () => {
    port = await freePort()
    url = `redis://127.0.0.1:${port}`
    await start(port)
    ;({ counters: store, close } = await redisCounters(url, log))
  })
  afterAll(async () => {
    close()
    await stop()
  })

  behaves(() => store)

  it('are shared by every process', async () => {
    const other = await redisCounters(url, log)
    await store.add('shared', 1, 60)
    expect((await other.counters.add('shared', 1, 60)).count).toBe(2)
    other.close()
    expect(lines).toEqual([])
  })

  it('are in memory when Redis dies, without failing anybody', async () => {
    await stop()
    expect((await store.add('after death', 1, 60)).count).toBe(1)
    expect((await store.add('after death', 1, 60)).count).toBe(2)
    await expect.poll(() => lines).toEqual([OUTAGE])
    await start(port)
    await expect.poll(() => lines).toEqual([OUTAGE, BACK])
  })

  it('are in memory while Redis hangs, and nobody but the first waits for it', async () => {
    server.kill('SIGSTOP')
    const timeOf = async (count: number) => {
      const began = performance.now()
      for (let n = 0; n < count; n += 1) await store.add('hangs', 1, 60)
      return performance.now() - began
    }
    const first = await timeOf(1)
    const others = await timeOf(5)
    server.kill('SIGCONT')
    expect(others).toBeLessThan(first)
    await expect.poll(() => lines.at(-1)).toBe(BACK)
  })
})
