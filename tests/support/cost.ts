import { setTimeout as later } from 'node:timers/promises'

const milliseconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000

/**
 * The cost of some work in this process, in milliseconds: CPU time of all threads, and the longest
 * blocking of the event loop. Other processes do not count.
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
  // includes the last iteration of the event loop
  await later(5)
  clearInterval(watch)
  return { allThreads, longestTurn }
}
