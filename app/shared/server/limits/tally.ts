/** What a key stands at, and for how long yet. */
export type Standing = { count: number; leftMs: number }

/**
 * Counts things for a while. A key lives so many seconds from what was first added to it; adding 0
 * looks without counting, and nothing falls below 0. Two adapters: memory, and Redis.
 */
export type Tally = {
  add(key: string, by: number, seconds: number): Promise<Standing>
  forget(key: string): Promise<void>
}

/** Counts nothing: for a shop that limits nothing. */
export const noTally: Tally = {
  add: async () => ({ count: 0, leftMs: 0 }),
  forget: async () => {},
}

type Entry = { count: number; endsAt: number }

/** A few tens of megabytes, were they ever reached. */
const MOST_KEYS = 100_000
/** So many entries are looked at for each that comes: those that ended go sooner than they come. */
const LOOKS = 8

/** Goes round a map's entries without end, also while they change; undefined when there is none. */
function roundOf(entries: Map<string, Entry>) {
  let round = entries.entries()
  return () => {
    const step = round.next()
    if (!step.done) return step.value
    round = entries.entries()
    return round.next().value
  }
}

/** Makes what lets go of entries that ended, and of one of those that end soonest when it is full. */
function sweeperOf(entries: Map<string, Entry>, most: number) {
  const next = roundOf(entries)
  return (now: number) => {
    let soonest: [string, Entry] | undefined
    for (let look = 0; look < LOOKS; look++) {
      const found = next()
      if (!found) return
      if (found[1].endsAt <= now) entries.delete(found[0])
      else if (!soonest || found[1].endsAt < soonest[1].endsAt) soonest = found
    }
    if (soonest && entries.size >= most) entries.delete(soonest[0])
  }
}

/**
 * Counts in this process. At most so many keys are kept: when more are alive, one of those that
 * end soonest has to go, so that a flood of short counts does not wash away the long ones.
 */
export function memoryTally({ most = MOST_KEYS, now = () => Date.now() } = {}): Tally {
  const entries = new Map<string, Entry>()
  const sweep = sweeperOf(entries, most)
  const find = (key: string) => {
    const found = entries.get(key)
    return found && found.endsAt > now() ? found : undefined
  }
  const open = (key: string, seconds: number) => {
    sweep(now())
    const entry = { count: 0, endsAt: now() + seconds * 1000 }
    entries.set(key, entry)
    return entry
  }
  return {
    async add(key, by, seconds) {
      const entry = find(key) ?? (by > 0 ? open(key, seconds) : undefined)
      if (!entry) return { count: 0, leftMs: 0 }
      entry.count = Math.max(0, entry.count + by)
      return { count: entry.count, leftMs: entry.endsAt - now() }
    },
    async forget(key) {
      entries.delete(key)
    },
  }
}
