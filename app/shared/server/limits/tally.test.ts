import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '#tests/support/free-port.ts'
import { redisTally } from './redis-tally.ts'
import { memoryTally, noTally, type Tally } from './tally.ts'

/** What every tally promises. */
function behaves(tally: () => Tally) {
  it('counts, and tells how long yet', async () => {
    expect(await tally().add('a', 1, 60)).toMatchObject({ count: 1 })
    const { count, leftMs } = await tally().add('a', 2, 9)
    expect(count).toBe(3)
    expect(leftMs).toBeGreaterThan(50_000)
    expect(leftMs).toBeLessThanOrEqual(60_000)
  })

  it('looks without counting, and makes nothing by looking', async () => {
    expect(await tally().add('b', 0, 60)).toEqual({ count: 0, leftMs: 0 })
    await tally().add('b', 1, 60)
    expect(await tally().add('b', 0, 60)).toMatchObject({ count: 1 })
  })

  it('gives back, never below nothing', async () => {
    expect(await tally().add('c', -1, 60)).toEqual({ count: 0, leftMs: 0 })
    await tally().add('c', 1, 60)
    expect(await tally().add('c', -2, 60)).toMatchObject({ count: 0 })
    expect(await tally().add('c', 1, 60)).toMatchObject({ count: 1 })
  })

  it('forgets what it is told to, and what has had its time', async () => {
    await tally().add('d', 5, 60)
    await tally().forget('d')
    expect(await tally().add('d', 1, 60)).toMatchObject({ count: 1 })
    await tally().add('e', 5, 0.02)
    await setTimeout(60)
    expect(await tally().add('e', 1, 60)).toMatchObject({ count: 1 })
  })

  it('counts each of many at once', async () => {
    const counts = await Promise.all(Array.from({ length: 50 }, () => tally().add('f', 1, 60)))
    expect(new Set(counts.map(({ count }) => count)).size).toBe(50)
  })
}

describe('a tally in memory', () => {
  const tally = memoryTally()
  behaves(() => tally)

  it('holds so many keys at most, and lets go of those that end soonest', async () => {
    let now = 0
    const small = memoryTally({ most: 100, now: () => now })
    await small.add('long', 1, 1_000_000)
    for (let n = 0; n < 10_000; n++) await small.add(`short ${n}`, 1, 100)
    expect(await small.add('long', 0, 1)).toMatchObject({ count: 1 })
    const kept = await Promise.all(
      Array.from({ length: 10_000 }, (_, n) => small.add(`short ${n}`, 0, 1)),
    )
    expect(kept.filter(({ count }) => count > 0).length).toBeLessThanOrEqual(100)
    now = 200_000
    expect(await small.add('short 9999', 0, 1)).toMatchObject({ count: 0 })
    expect(await small.add('long', 0, 1)).toMatchObject({ count: 1 })
  })
})

describe('no tally', () => {
  it('never counts', async () => {
    expect(await noTally.add('a', 100, 60)).toEqual({ count: 0, leftMs: 0 })
  })
})

/** What a log has been told. */
function heard() {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line).msg) }
  return { lines, log: Fastify({ logger: { level: 'info', stream } }).log }
}

describe('a tally in a Redis that is not there', () => {
  it('counts in memory, says so once, and fails nobody', async () => {
    const { lines, log } = heard()
    const { tally, close } = await redisTally(
      `redis://127.0.0.1:${await freePort()}`,
      log,
      memoryTally(),
    )
    expect((await tally.add('a', 1, 60)).count).toBe(1)
    expect((await tally.add('a', 1, 60)).count).toBe(2)
    await tally.forget('a')
    expect((await tally.add('a', 1, 60)).count).toBe(1)
    expect(lines).toEqual(['Redis does not answer: limits are counted here alone'])
    close()
  })
})

const hasRedis = spawnSync('redis-server', ['--version']).status === 0

describe.runIf(hasRedis)('a tally in Redis', () => {
  let url = ''
  let stop = async () => {}
  const start = async (port: number) => {
    const settings = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
    const server = spawn('redis-server', settings.map(String), {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    for await (const text of server.stdout) if (String(text).includes('Ready to accept')) break
    return async () => {
      server.kill('SIGTERM')
      await once(server, 'exit')
    }
  }
  let tally: Tally = noTally
  let close = () => {}
  let port = 0
  const { lines, log } = heard()
  beforeAll(async () => {
    port = await freePort()
    url = `redis://127.0.0.1:${port}`
    stop = await start(port)
    ;({ tally, close } = await redisTally(url, log, memoryTally()))
  })
  afterAll(async () => {
    close()
    await stop()
  })

  behaves(() => tally)

  it('is shared by every process', async () => {
    const other = await redisTally(url, log, memoryTally())
    await tally.add('shared', 1, 60)
    expect((await other.tally.add('shared', 1, 60)).count).toBe(2)
    other.close()
    expect(lines).toEqual([])
  })

  it('falls back to memory when Redis dies, without failing anybody', async () => {
    await stop()
    const { count } = await tally.add('after death', 1, 60)
    expect(count).toBe(1)
    expect((await tally.add('after death', 1, 60)).count).toBe(2)
    expect(lines).toEqual(['Redis does not answer: limits are counted here alone'])
    stop = await start(port)
  })
})
