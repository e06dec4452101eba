import { readFileSync } from 'node:fs'

/** The unit in which Linux reports processor time to every program. */
const TICKS_PER_SECOND = 100
const USER = 11
const SYSTEM = 12

/** Processor time of a process so far in seconds, of all its threads; null where there is no `/proc`. */
export function processorSeconds(pid: number | undefined): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // the name of the process may contain blanks
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[USER]) + Number(fields[SYSTEM])) / TICKS_PER_SECOND
  } catch {
    return null
  }
}
