/** The work runs at most this share of the time, unless that would keep a result for longer than `MOST_MS`. */
const MAX_SHARE = 0.01
const MAX_AGE_MS = 60_000

type Run<Result> = { result: Promise<Result>; expiresAt: number }

/**
 * Returns a function that shares the result of slow work: for a hundred times as long as the work
 * took, a minute at most. A small shop reads fresh figures, a large one does not read a month of
 * orders at each view. A failure is not kept.
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
