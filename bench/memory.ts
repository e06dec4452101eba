import { setTimeout as sleep } from 'node:timers/promises'

const MEBIBYTE = 2 ** 20
const inMb = (bytes: number) => Math.round(bytes / MEBIBYTE)
const residentMb = () => inMb(process.memoryUsage.rss())

/** The memory of this process, in MB. */
type Memory = {
  residentMb: number
  /** The JavaScript heap in use. */
  heapMb: number
}

const memory = (): Memory => ({
  residentMb: residentMb(),
  heapMb: inMb(process.memoryUsage().heapUsed),
})

export type Watched<Result> = { result: Result; seconds: number; before: Memory; peak: Memory }

const LOOK_MS = 20

/** Runs the work and measures its duration and peak memory. */
export async function watch<Result>(work: () => Promise<Result>): Promise<Watched<Result>> {
  const before = memory()
  const peak = { ...before }
  const look = () => {
    const now = memory()
    peak.residentMb = Math.max(peak.residentMb, now.residentMb)
    peak.heapMb = Math.max(peak.heapMb, now.heapMb)
  }
  const clock = setInterval(look, LOOK_MS)
  const start = performance.now()
  try {
    const result = await work()
    look()
    return { result, seconds: (performance.now() - start) / 1000, before, peak }
  } finally {
    clearInterval(clock)
  }
}

const CALM_MS = 2000
const CALM_MB = 2
const LONGEST_MS = 30_000

/**
 * Waits until memory is stable: compiling PGlite takes some hundred MB for a moment, which would
 * hide any growth.
 */
export async function settled(): Promise<void> {
  const end = performance.now() + LONGEST_MS
  for (let last = Number.POSITIVE_INFINITY; performance.now() < end; ) {
    const now = residentMb()
    if (Math.abs(last - now) <= CALM_MB) return
    last = now
    await sleep(CALM_MS)
  }
}
