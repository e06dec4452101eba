import { LRUCache } from 'lru-cache'
import type { Change } from './changes-store.ts'
import { type Kept, sizeOf } from './kept.ts'

/** So long an answer is served although the stock in it changed, while a new one is made. */
const STOCK_MS = 1000

/** What was asked for, and is not answered yet. */
export type Asked<Outcome> = {
  answer: Promise<Outcome>
  epoch: number
  /** Whose stock changed meanwhile. */
  changed: Set<string>
  /** Whether any product's did that lists may be about. */
  crossed: boolean
}

/** Answers by the ids that stand in them. */
function indexById() {
  const byId = new Map<string, Set<Kept>>()
  return {
    add(kept: Kept) {
      for (const id of kept.ids) {
        const those = byId.get(id)
        if (those) those.add(kept)
        else byId.set(id, new Set([kept]))
      }
    },
    remove(kept: Kept) {
      for (const id of kept.ids) {
        const those = byId.get(id)
        those?.delete(kept)
        if (those?.size === 0) byId.delete(id)
      }
    },
    with: (id: string): Iterable<Kept> => byId.get(id) ?? [],
  }
}

/** From now on it is served for a moment more, and made anew meanwhile. */
function age(kept: Kept, now: number) {
  kept.refreshFrom = now
  kept.serveUntil = Math.min(kept.serveUntil, now + STOCK_MS)
}

/**
 * What is kept, within so many bytes; what was not wanted for the longest goes first. It knows
 * nothing until it hears of changes, and then serves only what they leave good.
 */
export function openMemory<Outcome>(maxBytes: number) {
  const index = indexById()
  const kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / 8),
    sizeCalculation: sizeOf,
    dispose: (gone) => index.remove(gone),
  })
  const asked = new Map<string, Asked<Outcome>>()
  let epoch = 0
  let knows = false

  /** Whoever began before is answered, but nothing of it is kept, and nobody joins. */
  const turnOver = () => {
    epoch += 1
    asked.clear()
  }
  const keep = (one: Kept) => {
    kept.set(one.key, one)
    if (kept.peek(one.key) === one) index.add(one)
  }
  const ageWith = ({ product, crossed }: Change, now: number) => {
    for (const one of asked.values()) {
      if (product) one.changed.add(product)
      if (crossed) one.crossed = true
    }
    // a list of what is in stock may gain a product that does not stand in it
    for (const one of crossed ? kept.values() : index.with(product ?? '')) age(one, now)
  }

  return {
    asked,
    knows: () => knows,
    find: (key: string) => kept.get(key),
    bytes: () => kept.calculatedSize,
    all: () => [...kept.values()],
    /** Whether it may be served now. */
    isGood: ({ serveUntil, excusedUntil }: Kept, now: number) =>
      (knows && now < serveUntil) || now < excusedUntil,
    begin: (answer: Promise<Outcome>): Asked<Outcome> => ({
      ...{ answer, epoch, changed: new Set(), crossed: false },
    }),
    /** Keeps what was answered, unless it was asked for before something changed. */
    store(one: Kept, { epoch: then, changed, crossed }: Asked<Outcome>, now: number) {
      if (then !== epoch) return
      if (crossed || [...changed].some((id) => one.ids.has(id))) age(one, now)
      keep(one)
    },
    drop: (key: string) => kept.delete(key),
    /** It has grown by another form. */
    weigh(one: Kept) {
      if (kept.peek(one.key) !== one) return
      kept.delete(one.key)
      keep(one)
    },
    /** These changes were made by somebody; all others are known. */
    changed(changes: Change[]) {
      knows = true
      const now = performance.now()
      if (changes.some(({ product }) => product === null)) {
        turnOver()
        kept.clear()
      } else for (const change of changes) ageWith(change, now)
    },
    /** Anything may have changed: nothing is served unasked, unless nobody can answer. */
    lost() {
      knows = true
      turnOver()
      for (const one of kept.values()) Object.assign(one, { serveUntil: 0, excusedUntil: 0 })
    },
    /** Until further notice it is not known what is good. */
    unknown() {
      knows = false
    },
  }
}

export type Memory<Outcome> = ReturnType<typeof openMemory<Outcome>>
