/** Whether this process was late, now or when it was last looked at. */
export type WasLate = () => boolean

/** Looks every so often whether the event loop turns: a look that comes late says it did not. */
export function watchLoop({ everyMs, lateMs }: { everyMs: number; lateMs: number }): {
  wasLate: WasLate
  close: () => void
} {
  let looked = performance.now()
  let lostMs = 0
  const lostBy = (now: number) => Math.max(0, now - looked - everyMs)
  const look = () => {
    const now = performance.now()
    lostMs = lostBy(now)
    looked = now
  }
  const clock = setInterval(look, everyMs).unref()
  return {
    wasLate: () => Math.max(lostMs, lostBy(performance.now())) >= lateMs,
    close: () => clearInterval(clock),
  }
}
