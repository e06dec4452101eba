/** How often a key was counted, and for how long that counts yet. */
export type Counter = { count: number; leftMs: number }

/**
 * Counters that expire. A key lives so many seconds from the first points that are added to it;
 * 0 points read without counting, negative points are given back, and no count falls below 0.
 */
export type CounterStore = {
  add(key: string, points: number, seconds: number): Promise<Counter>
  delete(key: string): Promise<void>
}

const NONE: Counter = { count: 0, leftMs: 0 }

/** Counts nothing: for a shop without limits. */
export const noCounters: CounterStore = { add: async () => NONE, delete: async () => {} }

/** A few tens of megabytes at most. */
const MAX_KEYS = 100_000

/** Counts in this process, at most so many keys: the oldest goes when there are more. */
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
  return {
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
