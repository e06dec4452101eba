/** Takes so many bytes, or waits for them; the answer gives them back, once. */
export type Reserve = (bytes: number) => Promise<() => void>

/**
 * How much may be held in memory at once. Whoever comes first is served first, so that a large
 * one is not passed by small ones forever.
 */
export function byteBudget(total: number): Reserve {
  let free = total
  const waiting: { bytes: number; enter: () => void }[] = []
  const admit = () => {
    const [next] = waiting
    if (!next || next.bytes > free) return
    waiting.shift()
    free -= next.bytes
    next.enter()
    admit()
  }
  return (wanted) => {
    const bytes = Math.min(wanted, total)
    let isHeld = true
    const giveBack = () => {
      if (isHeld) free += bytes
      isHeld = false
      admit()
    }
    return new Promise((resolve) => {
      waiting.push({ bytes, enter: () => resolve(giveBack) })
      admit()
    })
  }
}
