import { setTimeout } from 'node:timers/promises'

const INTERVAL_MS = 50

/** Resolves when `check` is true; an error counts as false. Rejects after `seconds`. */
export async function until(
  what: string,
  check: () => Promise<boolean> | boolean,
  seconds = 60,
): Promise<void> {
  const deadline = performance.now() + seconds * 1000
  let reason: unknown = ''
  while (performance.now() < deadline) {
    try {
      if (await check()) return
    } catch (error) {
      reason = error
    }
    await setTimeout(INTERVAL_MS)
  }
  throw new Error(`After ${seconds} s ${what}. ${reason}`)
}
