/**
 * The largest share of time that the work runs, unless a result would get older than `MAX_AGE_MS`.
 */
const MAX_SHARE = 0.01
const MAX_AGE_MS = 60_000

type Run<Result> = { result: Promise<Result>; expiresAt: number }

/**
 * Returns a function that caches the result of slow work for a hundred times as long as it took, at
 * most a minute. Concurrent calls share one run. A failure is not cached.
 */
export function memoize<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let last: Run<Result> | undefined
  return () => {
    if (last && performance.now() < last.expiresAt) return last.result
    const startedAt = performance.now()
    const run = { result: work(), expiresAt: Number.POSITIVE_INFINITY }
    last = run
    run.result.then(
      () => {
        const endedAt = performance.now()
        run.expiresAt = endedAt + Math.min(MAX_AGE_MS, (endedAt - startedAt) / MAX_SHARE)
      },
      () => {
        run.expiresAt = 0
      },
    )
    return run.result
  }
}
