import { LRUCache } from 'lru-cache'

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
  /** The counters that this process has seen above their limits. */
  blocks: Blocks
}

/** Keys that are refused until a moment, without their counters being read. */
export type Blocks = {
  /** Milliseconds until the key is free; 0 when it is. */
  leftMs(key: string): number
  add(key: string, leftMs: number): void
}

const NONE: Counter = { count: 0, leftMs: 0 }

/** Counts nothing: for a shop without limits. */
export const noCounters: CounterStore = {
  add: async () => NONE,
  delete: async () => {},
  partition: () => noCounters,
  blocks: { leftMs: () => 0, add() {} },
}

const MAX_BLOCKS = 20_000

/** Blocks in this process's memory; one that is forgotten above the maximum is counted again. */
export function openBlocks(now = () => Date.now()): Blocks {
  const ends = new LRUCache<string, number>({ max: MAX_BLOCKS })
  return {
    leftMs: (key) => Math.max(0, (ends.get(key) ?? 0) - now()),
    add: (key, leftMs) => ends.set(key, now() + leftMs),
  }
}

/** Limits the memory to a few tens of megabytes. */
const MAX_KEYS = 100_000

/** Counters in this process's memory; above the maximum, the oldest key is evicted. */
export function memoryCounters({ maxKeys = MAX_KEYS, now = () => Date.now() } = {}): CounterStore {
  const counters = new Map<string, { count: number; endsAt: number }>()
  const find = (key: string) => {
    const found = counters.get(key)
    if (found && found.endsAt > now()) return found
    counters.delete(key)
  }
  const create = (key: string, seconds: number) => {
    const [oldest] = counters.keys()
    if (oldest !== undefined && counters.size >= maxKeys) counters.delete(oldest)
    const counter = { count: 0, endsAt: now() + seconds * 1000 }
    counters.set(key, counter)
    return counter
  }
  const partitions = new Map<string, CounterStore>()
  return {
    blocks: openBlocks(now),
    partition(name) {
      const known = partitions.get(name) ?? memoryCounters({ maxKeys, now })
      partitions.set(name, known)
      return known
    },
    async add(key, points, seconds) {
      const counter = find(key) ?? (points > 0 ? create(key, seconds) : undefined)
      if (!counter) return NONE
      counter.count = Math.max(0, counter.count + points)
      return { count: counter.count, leftMs: counter.endsAt - now() }
    },
    async delete(key) {
      counters.delete(key)
    },
  }
}
