import { LRUCache } from 'lru-cache'
import { type Kept, sizeOf } from './kept.ts'

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

/** Answers by their keys, within so many bytes: what was not wanted for the longest goes first. */
export function openEntries(maxBytes: number) {
  const index = indexById()
  const all = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / 8),
    sizeCalculation: sizeOf,
    dispose: (gone) => index.remove(gone),
  })
  const keep = (kept: Kept) => {
    all.set(kept.key, kept)
    // one that is too large for this memory is not there
    if (all.peek(kept.key) === kept) index.add(kept)
  }
  return {
    keep,
    find: (key: string) => all.get(key),
    drop: (key: string) => all.delete(key),
    clear: () => all.clear(),
    bytes: () => all.calculatedSize,
    all: () => [...all.values()],
    withId: index.with,
    /** It has grown by another form. */
    weigh(kept: Kept) {
      if (all.peek(kept.key) !== kept) return
      all.delete(kept.key)
      keep(kept)
    },
  }
}
