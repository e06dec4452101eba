/** The largest share of time that the work runs, unless a result would get older than `MAX_AGE_MS`. */
const MAX_SHARE = 0.01
const MAX_AGE_MS = 60_000

/**
 * Returns a function that caches the result of slow work for a hundred times as long as it took, at
 * most a minute. Concurrent calls share one run. A failure is not cached. With `fresh` it works again, and caches that.
 */
export function memoize<Result>(work: () => Promise<Result>): (fresh?: boolean) => Promise<Result> {
  let last: Promise<Result> | undefined
  let expiresAt = 0
  const expireAfter = (age: number) => {
    expiresAt = performance.now() + age
  }
  return (fresh = false) => {
    if (!fresh && last && performance.now() < expiresAt) return last
    const startedAt = performance.now()
    expiresAt = Number.POSITIVE_INFINITY
    last = work()
    last.then(
      () => expireAfter(Math.min(MAX_AGE_MS, (performance.now() - startedAt) / MAX_SHARE)),
      () => expireAfter(0),
    )
    return last
  }
}
