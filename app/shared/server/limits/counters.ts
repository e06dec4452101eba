/** Counters with expiry: in this process's memory, in Redis, or in the database. */
import type { FastifyBaseLogger } from 'fastify'
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
} from 'rate-limiter-flexible'
import type { Database } from '#db/schema.ts'
import { rateLimiterClient } from './rate-limiter-client-store.ts'

/** A counter's value, and the milliseconds until it expires. */
export type Counter = { count: number; leftMs: number }

/**
 * Counters with expiry. A key expires so many seconds after its first point. Adding 0 points reads
 * a counter; negative points are subtracted, never below 0.
 */
export type CounterStore = {
  add(key: string, points: number, seconds: number): Promise<Counter>
  delete(key: string): Promise<void>
  /** Counters that a flood of other keys cannot evict. */
  partition(name: string): CounterStore
  /**
   * When the keys end that this process has seen above their limits. They are refused without their
   * counters being read; one that is evicted is counted again.
   */
  blockedUntil: LRUCache<string, number>
}

/** The limits are declared elsewhere: rate-limiter-flexible only counts. */
const UNUSED = { points: 1, duration: 1 }

const MAX_BLOCKS = 20_000

const NONE: Counter = { count: 0, leftMs: 0 }

/** Counts nothing: for a shop without limits. */
export const noCounters: CounterStore = {
  add: async () => NONE,
  delete: async () => {},
  partition: () => noCounters,
  blockedUntil: new LRUCache({ max: 1 }),
}

type Stored = Awaited<ReturnType<RateLimiterAbstract['get']>>

const counterOf = (stored: Stored): Counter =>
  stored && stored.msBeforeNext > 0
    ? { count: Math.max(0, stored.consumedPoints), leftMs: stored.msBeforeNext }
    : NONE

function countersIn(limiter: RateLimiterAbstract): CounterStore {
  const counters: CounterStore = {
    blockedUntil: new LRUCache({ max: MAX_BLOCKS }),
    // a shared store evicts no counter
    partition: () => counters,
    async add(key, points, seconds) {
      const duration = { customDuration: seconds }
      if (points > 0) return counterOf(await limiter.penalty(key, points, duration))
      const counter = counterOf(await limiter.get(key))
      if (points === 0 || counter.count === 0) return counter
      const subtracted = Math.min(-points, counter.count)
      const left = await limiter.reward(key, subtracted, duration)
      // another subtraction came between
      const below = Math.min(subtracted, -left.consumedPoints)
      return counterOf(below > 0 ? await limiter.penalty(key, below, duration) : left)
    },
    async delete(key) {
      await limiter.delete(key)
    },
  }
  return counters
}

/** Limits the memory to a few tens of megabytes. */
const MAX_KEYS = 100_000

/**
 * Counters in this process's memory. Above the maximum the one that was not counted for longest is evicted,
 * so that made-up e-mails and addresses do not fill the memory.
 */
export function memoryCounters(maxKeys = MAX_KEYS): CounterStore {
  const stored = new LRUCache<string, { count: number; endsAt: number }>({ max: maxKeys })
  const partitions = new Map<string, CounterStore>()
  return {
    blockedUntil: new LRUCache({ max: MAX_BLOCKS }),
    async add(key, points, seconds) {
      const now = Date.now()
      const known = stored.peek(key)
      const isNew = !known || known.endsAt <= now
      if (isNew && points <= 0) return NONE
      const endsAt = isNew ? now + seconds * 1000 : known.endsAt
      const count = Math.max(0, (isNew ? 0 : known.count) + points)
      if (points !== 0) stored.set(key, { count, endsAt })
      return { count, leftMs: endsAt - now }
    },
    async delete(key) {
      stored.delete(key)
    },
    partition(name) {
      const known = partitions.get(name) ?? memoryCounters(maxKeys)
      partitions.set(name, known)
      return known
    },
  }
}

/** Each process counts by itself while the store is unavailable. */
const insured = () => ({ ...UNUSED, insuranceLimiter: new RateLimiterMemory(UNUSED) })

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

/** A slow counter store must not delay requests. */
const TIMEOUT_MS = 500

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
    // a Redis that hangs is left at the first timeout: until it answers again, no request waits for it
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
    ...insured(),
  })
  return { counters: countersIn(limiter), close: () => redis.disconnect() }
}

/** Counters in this database. */
export const databaseCounters = (db: Database): CounterStore =>
  countersIn(
    new RateLimiterPostgres({
      storeClient: rateLimiterClient(db),
      storeType: 'client',
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix: '',
      ...insured(),
    }),
  )
