import pLimit from 'p-limit'
import { unavailable } from '../failure.ts'

export type BoundedLimit = <Result>(task: () => Promise<Result>) => Promise<Result>

type Options = { concurrency: number; queue: number; retryAfter: number; message?: string }

/**
 * A concurrency limit with a bounded queue: `concurrency` tasks run at once and `queue` more wait.
 * Further ones are refused as `unavailable`, with `retryAfter` seconds.
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
