import { unavailable } from '../failure.ts'

/**
 * Lets only so much costly work run at once, and only so much wait for it. What comes on top is
 * refused as `unavailable`, to be tried again after `seconds`.
 */
export function gate(limits: { running: number; waiting: number; seconds: number }) {
  const waiting: (() => void)[] = []
  let running = 0

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running < limits.running) running += 1
    else if (waiting.length < limits.waiting) {
      await new Promise<void>((enter) => waiting.push(enter))
    } else
      throw unavailable('Too many people are at the door. Try again in a moment.', limits.seconds)
    try {
      return await work()
    } finally {
      // whoever waits longest takes this place over
      const enter = waiting.shift()
      if (enter) enter()
      else running -= 1
    }
  }
}
