/** Who is told twice within this time was told once: npm passes on what the terminal told us, too. */
const ECHO_MS = 2000

type Stop = {
  /** Asked once: everybody is served to the end. */
  gently: (signal: NodeJS.Signals) => void
  /** Asked again later: it cannot wait. */
  atOnce: () => void
}

/**
 * Hears SIGINT and SIGTERM. Ctrl-C reaches the shop from the terminal and once more from npm, which
 * is no second wish: only a signal that comes later is one.
 */
export function heedSignals({ gently, atOnce }: Stop): void {
  let asked: number | undefined
  const hear = (signal: NodeJS.Signals) => {
    const now = performance.now()
    if (asked === undefined) {
      asked = now
      gently(signal)
    } else if (now - asked > ECHO_MS) atOnce()
  }
  process.on('SIGINT', hear).on('SIGTERM', hear)
}
