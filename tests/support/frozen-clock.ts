import { afterEach, beforeEach, vi } from 'vitest'

/**
 * Stops the clock for each test of the block; `vi.advanceTimersByTime` moves it. Timers of a second and more
 * never end, so that pauses and counters expire by the clock alone, however slow the machine is.
 */
export function freezeClock() {
  const { setTimeout: startTimer } = globalThis
  const withoutLongOnes = (work: () => void, ms = 0) =>
    ms < 1000 ? startTimer(work, ms) : startTimer(() => {}, 0)
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.stubGlobal('setTimeout', withoutLongOnes)
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })
}
