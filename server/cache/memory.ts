import type { Change } from './changes-store.ts'
import { openEntries } from './entries.ts'
import type { Kept } from './kept.ts'

/** So long an answer is served although the stock in it changed, while a new one is made. */
const STOCK_MS = 1000

/** A request that is under way for longer is not joined: its answer may never come. */
const LONGEST_JOINED_MS = 30_000

/** What was asked for, and is not answered yet. */
export type Asked<Outcome> = {
  answer: Promise<Outcome>
  /** When, as performance.now() tells. */
  since: number
  epoch: number
  /** Whose stock changed meanwhile. */
  changed: Set<string>
  /** Whether one sold out, or is there again: any list may be about it. */
  crossed: boolean
}

/** From now on it is served for a moment more, and made anew meanwhile. */
function age(kept: Kept, now: number) {
  kept.refreshFrom = now
  kept.serveUntil = Math.min(kept.serveUntil, now + STOCK_MS)
  kept.excusedUntil = Math.min(kept.excusedUntil, now + STOCK_MS)
}

/** From now on it is served only while nobody can say better. */
const doubt = (kept: Kept) => Object.assign(kept, { serveUntil: 0, excusedUntil: 0 })

const outlives = ({ changed, crossed }: Asked<unknown>, { ids }: Kept) =>
  !crossed && ![...changed].some((id) => ids.has(id))

/** Ages everything that this change is about, be it there or about to come. */
function ageBy(
  { product, crossed }: Change,
  { withId, all }: ReturnType<typeof openEntries>,
  asked: Iterable<Asked<unknown>>,
) {
  const now = performance.now()
  for (const one of asked) {
    if (product) one.changed.add(product)
    if (crossed) one.crossed = true
  }
  // a list of what is in stock may gain a product that does not stand in it
  for (const one of crossed ? all() : withId(product ?? '')) age(one, now)
}

const beginAsking = <Outcome>(answer: Promise<Outcome>, epoch: number): Asked<Outcome> => ({
  answer,
  since: performance.now(),
  epoch,
  changed: new Set(),
  crossed: false,
})

/** Looks for a request under a key that others may join. */
const joinableIn =
  <Outcome>(asked: Map<string, Asked<Outcome>>) =>
  (key: string): Asked<Outcome> | undefined => {
    const found = asked.get(key)
    return found && performance.now() - found.since < LONGEST_JOINED_MS ? found : undefined
  }

/**
 * What is kept, and what of it is good. It knows nothing until it hears of changes, and serves only
 * what they leave. Whoever asked before a change is answered, but nothing of that is kept, and
 * nobody joins.
 */
export function openMemory<Outcome>(maxBytes: number) {
  const entries = openEntries(maxBytes)
  const asked = new Map<string, Asked<Outcome>>()
  let [epoch, knows] = [0, false]
  const turnOver = () => {
    epoch += 1
    asked.clear()
  }
  return {
    ...{ asked, entries, knows: () => knows },
    /** Whether it may be served now. */
    isGood: (kept: Kept, now: number) =>
      (knows && now < kept.serveUntil) || now < kept.excusedUntil,
    underWay: joinableIn(asked),
    begin: (answer: Promise<Outcome>) => beginAsking(answer, epoch),
    store(kept: Kept, by: Asked<Outcome>) {
      if (!outlives(by, kept)) age(kept, performance.now())
      if (by.epoch === epoch) entries.keep(kept)
    },
    /** These changes were made by somebody; all others are known. */
    changed(changes: Change[]) {
      knows = true
      if (changes.some(({ product }) => product === null)) {
        turnOver()
        entries.clear()
      } else for (const change of changes) ageBy(change, entries, asked.values())
    },
    /** Anything may have changed: nothing is served unasked, unless nobody can answer. */
    lost() {
      knows = true
      turnOver()
      for (const one of entries.all()) doubt(one)
    },
    /** Until further notice it is not known what is good. */
    unknown() {
      knows = false
    },
  }
}

export type Memory<Outcome> = ReturnType<typeof openMemory<Outcome>>
