import type { FastifyBaseLogger } from 'fastify'
import { Redis } from 'ioredis'
import { teller, withFallback } from './fallback.ts'
import type { Standing, Tally } from './tally.ts'

const PREFIX = 'haat:tally:'
/** A count must not hold up what it counts. */
const PATIENCE_MS = 500

/** Adds and reads in one step, so that of two who come at once each sees the other. */
const ADD = `
local by = tonumber(ARGV[1])
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  if by <= 0 then return {0, 0} end
  count, left = 0, tonumber(ARGV[2])
end
count = math.max(0, count + by)
if by ~= 0 then redis.call('SET', KEYS[1], count, 'PX', math.max(1, left)) end
return {count, left}`

const inRedis = (redis: Redis): Tally => ({
  async add(key, by, seconds): Promise<Standing> {
    const answer = await redis.eval(ADD, 1, PREFIX + key, by, seconds * 1000)
    const [count = 0, leftMs = 0] = Array.isArray(answer) ? answer.map(Number) : []
    return { count, leftMs }
  },
  async forget(key) {
    await redis.del(PREFIX + key)
  },
})

/**
 * Counts in the Redis at `url`, together with every other process that does; with `meanwhile` while
 * it does not answer. No failure of Redis is a failure of the shop.
 */
export async function redisTally(
  url: string,
  log: FastifyBaseLogger,
  meanwhile: Tally,
): Promise<{ tally: Tally; close: () => void }> {
  const redis = new Redis(url, {
    ...{ lazyConnect: true, connectTimeout: 2000, commandTimeout: PATIENCE_MS },
    ...{ enableOfflineQueue: false, maxRetriesPerRequest: 0 },
  })
  const tell = teller(log, 'Redis')
  redis.on('error', tell)
  await redis.connect().catch(tell)
  return {
    tally: withFallback(inRedis(redis), meanwhile, tell),
    close: () => redis.disconnect(),
  }
}
