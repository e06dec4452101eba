import { setTimeout as later } from 'node:timers/promises'

const milliseconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000

/**
 * What some work costs this process, in milliseconds of a core: all its threads together, and the
 * longest that the event loop was held without a pause. What other processes do meanwhile counts
 * for nothing.
 */
export async function costOf(work: () => Promise<unknown>) {
  let longestTurn = 0
  let before = milliseconds(process.threadCpuUsage())
  const watch = setInterval(() => {
    const now = milliseconds(process.threadCpuUsage())
    longestTurn = Math.max(longestTurn, now - before)
    before = now
  }, 1)
  const start = process.cpuUsage()
  await work()
  const allThreads = milliseconds(process.cpuUsage(start))
  // the turn in which it ended is over, and watched, too
  await later(5)
  clearInterval(watch)
  return { allThreads, longestTurn }
}
