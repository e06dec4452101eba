/** The store of the page cache: answers in memory, limited by bytes and indexed by their tags, and the renders that make them. */
import { LRUCache } from 'lru-cache'
import { type Change, EVERYTHING_TAG } from '#app/shared/server/cache/change-feed-store.ts'
import type { Keep } from '#app/shared/server/domain-module.ts'

/** A render that takes longer is not joined: it may never end. */
const MAX_JOINED_MS = 30_000

/** An answer that may be kept. Times are performance.now(). */
export type CachedAnswer = {
  key: string
  tags: ReadonlySet<string>
  /** Whether it is the same for every visitor; any other is for one request only. */
  isStored: boolean
  /** When its render began: it contains every change committed before. */
  madeAt: number
  /** Whether its data has changed, so that it has to be rendered again. */
  isStale: boolean
  /** Until when it may be served stale. */
  expiresAt: number
}

/** The state of an answer that was just made. */
export const fresh = (madeAt: number) => ({
  madeAt,
  isStale: false,
  expiresAt: Number.POSITIVE_INFINITY,
})

/** Marks an answer, or one being rendered, as stale from now on. */
function markStale(answer: CachedAnswer, { tag, stale_ms }: Change, at: number) {
  if (tag !== EVERYTHING_TAG && !answer.tags.has(tag)) return
  answer.isStale = true
  answer.expiresAt = Math.min(answer.expiresAt, at + stale_ms)
}

function indexByTag<One extends CachedAnswer>() {
  const byTag = new Map<string, Set<One>>()
  return {
    add(answer: One) {
      for (const tag of answer.tags) {
        const tagged = byTag.get(tag)
        if (tagged) tagged.add(answer)
        else byTag.set(tag, new Set([answer]))
      }
    },
    remove(answer: One) {
      for (const tag of answer.tags) {
        const tagged = byTag.get(tag)
        tagged?.delete(answer)
        if (tagged?.size === 0) byTag.delete(tag)
      }
    },
    get: (tag: string): Iterable<One> => byTag.get(tag) ?? [],
  }
}

type CacheOptions<One> = {
  maxBytes: number
  sizeOf: (answer: One) => number
  /** Whether answers may be stored now. */
  mayStore: () => boolean
  /** Called before an answer replaces a former one. */
  reuse?: (former: One, next: One) => void
}

/** An LRU cache of answers, limited by bytes. */
function openLru<One extends CachedAnswer>({ maxBytes, sizeOf, reuse }: CacheOptions<One>) {
  const index = indexByTag<One>()
  const all = new LRUCache<string, One>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / 8),
    sizeCalculation: sizeOf,
    onInsert: (answer) => index.add(answer),
    dispose: (answer) => index.remove(answer),
  })
  return {
    get: (key: string) => all.get(key),
    set(answer: One) {
      const former = all.peek(answer.key)
      if (former && former.madeAt > answer.madeAt) return
      if (former) reuse?.(former, answer)
      all.set(answer.key, answer)
    },
    delete: (key: string) => all.delete(key),
    /** Updates the size of an answer; setting the same value alone would not. */
    resize(key: string) {
      const answer = all.peek(key)
      if (!answer) return
      all.delete(key)
      all.set(key, answer)
    },
    apply(change: Change, at: number) {
      const changed = change.tag === EVERYTHING_TAG ? all.values() : index.get(change.tag)
      for (const answer of changed) markStale(answer, change, at)
    },
    bytes: () => all.calculatedSize,
    values: () => [...all.values()],
  }
}

type Render<One> = { made: Promise<One>; began: number; changes: [change: Change, at: number][] }

/**
 * Keeps answers until their data changes. Concurrent requests for the same key share one render
 * (request coalescing). A render that began before a change is not joined after it.
 */
export function openMemoryCache<One extends CachedAnswer>(options: CacheOptions<One>) {
  const { apply, set, ...store } = openLru(options)
  const running = new Set<Render<One>>()
  const joinable = new Map<string, Render<One>>()

  /** The running render that requests for this key may join. */
  function underWay(key: string): Render<One> | undefined {
    const render = joinable.get(key)
    return render && performance.now() - render.began < MAX_JOINED_MS ? render : undefined
  }

  /** Makes an answer, applies the changes that came meanwhile, and stores it. */
  async function makeAndStore(
    make: (madeAt: number) => Promise<One>,
    { began, changes }: Omit<Render<One>, 'made'>,
  ): Promise<One> {
    const answer = await make(began)
    for (const [change, at] of changes) markStale(answer, change, at)
    if (answer.isStored && options.mayStore()) set(answer)
    return answer
  }

  return {
    ...store,
    isUnderWay: (key: string) => underWay(key) !== undefined,
    /** Makes an answer, or joins a running render; `isLeader` says which. */
    render(key: string, make: (madeAt: number) => Promise<One>) {
      const joined = underWay(key)
      if (joined) return { isLeader: false, made: joined.made }
      const begun: Omit<Render<One>, 'made'> = { began: performance.now(), changes: [] }
      const render: Render<One> = { ...begun, made: makeAndStore(make, begun) }
      running.add(render)
      joinable.set(key, render)
      const made = render.made.finally(() => {
        running.delete(render)
        if (joinable.get(key) === render) joinable.delete(key)
      })
      return { isLeader: true, made }
    },
    /** Applies committed changes: running renders may or may not contain them. */
    apply(changes: Change[], at: number) {
      for (const change of changes) apply(change, at)
      if (changes.length === 0) return
      for (const { changes: missed } of running)
        missed.push(...changes.map((change): [Change, number] => [change, at]))
      joinable.clear()
    },
  }
}

/** A part of an answer: an answer to a call of a page, or the total of a list. */
type Value = {
  /** Null for a value that must not be kept. */
  tags: ReadonlySet<string> | null
  /** Its bytes in memory, without key and tags. */
  size: number
}

/** The bytes of a value beside its own, and of each of its tags. */
const OVERHEAD = 1000
const PER_TAG = 150

/** Keeps parts of answers, and never uses one that has changed. */
export function openValues(maxBytes: number, isFollowing: () => boolean) {
  const values = openMemoryCache<CachedAnswer & { value: Value }>({
    maxBytes,
    mayStore: isFollowing,
    sizeOf: ({ key, tags, value }) => OVERHEAD + 2 * key.length + PER_TAG * tags.size + value.size,
  })
  return {
    ...values,
    /** The kept value of this key, or that which is made now. */
    async keep<Made extends Value>(key: string, make: () => Promise<Made>): Promise<Made> {
      if (!isFollowing()) return make()
      const known = values.get(key)
      if (known && !known.isStale) return known.value as Made
      const { isLeader, made } = values.render(key, async (madeAt) => {
        const value = await make()
        const { tags } = value
        return { key, value, isStored: tags !== null, tags: tags ?? new Set(), ...fresh(madeAt) }
      })
      // what is not kept, such as a refusal, is only for the visitor who led the render
      const answer = await (isLeader ? made : made.catch(() => null))
      return answer && (isLeader || answer.isStored) ? (answer.value as Made) : make()
    },
  }
}

export type Values = ReturnType<typeof openValues>

/**
 * Keeps values of modules, which are as small as totals of lists. Every committed change is applied first: a
 * total is shown beside products that are read now.
 */
export const keepIn =
  ({ keep }: Values, catchUp: () => Promise<void>): Keep =>
  async (key, tags, make) => {
    await catchUp()
    const made = async () => ({ value: await make(), tags: new Set(tags), size: 0 })
    return (await keep(key, made)).value
  }
