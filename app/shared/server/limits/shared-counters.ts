/** Counters shared by several processes, in Redis or PostgreSQL. */
import type { FastifyBaseLogger } from 'fastify'
import type { Redis } from 'ioredis'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
} from 'rate-limiter-flexible'
import type { Database } from '#db/schema.ts'
import { type Counter, type CounterStore, openBlocks } from './counters.ts'
import { clientOf } from './counters-store.ts'

/** A slow counter store must not delay requests. */
const TIMEOUT_MS = 500

/** The limits are declared elsewhere: rate-limiter-flexible only counts. */
const UNUSED = { points: 1, duration: 1 }

/** Each process counts by itself while the store is unavailable. */
const options = () => ({ ...UNUSED, insuranceLimiter: new RateLimiterMemory(UNUSED) })

function countersIn(limiter: RateLimiterAbstract): CounterStore {
  const counters: CounterStore = {
    blocks: openBlocks(),
    // it evicts no counter
    partition: () => counters,
    async add(key, points, seconds): Promise<Counter> {
      const duration = { customDuration: seconds }
      if (points > 0) return counterOf(await limiter.penalty(key, points, duration))
      const counter = counterOf(await limiter.get(key))
      if (points === 0 || counter.count === 0) return counter
      return counterOf(await limiter.reward(key, Math.min(-points, counter.count), duration))
    },
    async delete(key) {
      await limiter.delete(key)
    },
  }
  return counters
}

type Stored = Awaited<ReturnType<RateLimiterAbstract['get']>>

const counterOf = (stored: Stored): Counter =>
  stored && stored.msBeforeNext > 0
    ? { count: Math.max(0, stored.consumedPoints), leftMs: stored.msBeforeNext }
    : { count: 0, leftMs: 0 }

/** Logs the beginning and the end of an outage. */
function watchOutage(redis: Redis, log: FastifyBaseLogger) {
  let isDown = false
  redis.on('error', (err) => {
    if (!isDown) log.warn({ err }, 'Redis does not answer: each process counts limits for itself')
    isDown = true
  })
  redis.on('ready', () => {
    if (isDown) log.info('Redis answers again: limits are counted there')
    isDown = false
  })
}

/** Counters in the Redis at `url`. While Redis is unavailable, the shop keeps working. */
export async function redisCounters(
  url: string,
  log: FastifyBaseLogger,
): Promise<{ counters: CounterStore; close: () => void }> {
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 2000,
    commandTimeout: TIMEOUT_MS,
    // a Redis that hangs is left at the first silence: until it answers again, nobody waits for it
    socketTimeout: TIMEOUT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  })
  watchOutage(redis, log)
  // the error is logged, and ioredis reconnects
  await redis.connect().catch(() => {})
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: 'haat:limit',
    rejectIfRedisNotReady: true,
    ...options(),
  })
  return { counters: countersIn(limiter), close: () => redis.disconnect() }
}

/** Counters in this database. */
export const databaseCounters = (db: Database): CounterStore =>
  countersIn(
    new RateLimiterPostgres({
      storeClient: clientOf(db),
      storeType: 'client',
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix: '',
      ...options(),
    }),
  )
