/** Takes so much, or waits for it; the answer gives it back, once. */
export type Reserve = (wanted: number) => Promise<() => void>

/**
 * How much of something may be in use at once. Whoever comes first is served first, so that one
 * who wants much is not passed by others forever; who wants more than all gets all.
 */
export function budgetOf(total: number): Reserve {
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
