/** Who has lived so long ended by an accident, and is replaced at once. */
const LONG_LIFE_MS = 10_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

/**
 * Makes what says how long to wait, in milliseconds, before somebody is replaced who lived so long:
 * longer each time, when one after the other ends soon after its start.
 */
export function pausesOf(): (livedMs: number) => number {
  let soon = 0
  return (livedMs) => {
    soon = livedMs < LONG_LIFE_MS ? soon + 1 : 0
    return soon === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (soon - 1))
  }
}
