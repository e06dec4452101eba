import pLimit from 'p-limit'
import { unavailable } from '../failure.ts'

export type BoundedLimit = <Result>(task: () => Promise<Result>) => Promise<Result>

type Options = { concurrency: number; queue: number; retryAfter: number; message?: string }

/**
 * Limits concurrency: so many tasks run at once, so many more wait in turn, and what comes on top is
 * refused as `unavailable`, to be tried again after `retryAfter` seconds.
 */
export function boundedLimit({
  concurrency,
  queue,
  retryAfter,
  message = 'The shop is very busy right now. Please try again in a moment.',
}: Options): BoundedLimit {
  const limit = pLimit(concurrency)
  return async (task) => {
    if (limit.activeCount + limit.pendingCount >= concurrency + queue)
      throw unavailable(message, retryAfter)
    return limit(task)
  }
}
