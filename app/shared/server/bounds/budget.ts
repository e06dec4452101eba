import { unavailable } from '../failure.ts'

/** Takes so much, or waits for it; the answer gives it back, once. */
export type Reserve = (wanted: number) => Promise<() => void>

/**
 * How much of something may be in use at once. Whoever comes first is served first, so that one
 * who wants much is not passed by others forever; who wants more than all gets all. Where so many
 * wait as may, the next is refused as `unavailable`, to be tried again after `seconds`.
 */
export function budgetOf(
  total: number,
  { waiting: mostWaiting, seconds } = { waiting: Number.POSITIVE_INFINITY, seconds: 0 },
): Reserve {
  let free = total
  const waiting: { amount: number; enter: () => void }[] = []
  const admit = () => {
    const [next] = waiting
    if (!next || next.amount > free) return
    waiting.shift()
    free -= next.amount
    next.enter()
    admit()
  }
  return (wanted) => {
    if (waiting.length >= mostWaiting)
      return Promise.reject(
        unavailable('Many uploads are waiting already. Please try again in a minute.', seconds),
      )
    const amount = Math.min(wanted, total)
    let isHeld = true
    const giveBack = () => {
      if (isHeld) free += amount
      isHeld = false
      admit()
    }
    return new Promise((resolve) => {
      waiting.push({ amount, enter: () => resolve(giveBack) })
      admit()
    })
  }
}
