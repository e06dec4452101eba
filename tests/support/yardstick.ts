/**
 * A unit for costs: no test asserts an absolute time, because machines differ. A bound is a multiple of what fixed
 * work costs in the same run.
 */

/** Needs nothing from outside, so that it runs in a page of the browser, too. */
export function fixedWork(): number {
  const rows = Array.from({ length: 5000 }, (_, n) => ({
    id: n,
    name: `Cup ${n}`,
    tags: ['clay', `${n * n}`],
  }))
  return JSON.stringify(JSON.parse(JSON.stringify(rows))).length
}

const ROUNDS = 10

const cpuTime = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The milliseconds of CPU time of this thread that some work takes, at best. */
function leastTime(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = cpuTime()
    work()
    least = Math.min(least, cpuTime() - before)
  }
  return least
}

/** The milliseconds of CPU time of this thread that the fixed work takes, at best. */
export const yardstick = () => leastTime(fixedWork)

/**
 * The same for a copy of so many bytes in new memory. Beside the fixed work, a virtual machine may need ten times
 * longer than others for it.
 */
export function copyTime(bytes: number): number {
  const source = Buffer.alloc(bytes, 1)
  return leastTime(() => Buffer.from(source))
}
