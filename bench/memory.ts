const MEBIBYTE = 2 ** 20
const residentMb = () => Math.round(process.memoryUsage.rss() / MEBIBYTE)

export type Watched<Result> = {
  result: Result
  seconds: number
  /** Resident memory of this process before, and at its highest, in MB. */
  beforeMb: number
  peakMb: number
}

/** Does the work and watches how long it takes and how much memory this process takes for it. */
export async function watch<Result>(work: () => Promise<Result>): Promise<Watched<Result>> {
  const beforeMb = residentMb()
  let peakMb = beforeMb
  const look = () => {
    peakMb = Math.max(peakMb, residentMb())
  }
  const clock = setInterval(look, 20)
  const start = performance.now()
  try {
    const result = await work()
    look()
    return { result, seconds: (performance.now() - start) / 1000, beforeMb, peakMb }
  } finally {
    clearInterval(clock)
  }
}
