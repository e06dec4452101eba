/** A worker that lived this long is restarted at once. */
const LONG_LIFE_MS = 10_000
const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 30_000

/**
 * Creates the exponential backoff of one slot: a function from a worker's lifetime to the delay of
 * its restart, in milliseconds.
 */
export function restartDelays(): (livedMs: number) => number {
  let crashes = 0
  return (livedMs) => {
    crashes = livedMs < LONG_LIFE_MS ? crashes + 1 : 0
    return crashes === 0 ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (crashes - 1))
  }
}
