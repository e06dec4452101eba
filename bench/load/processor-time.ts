import { readFileSync } from 'node:fs'

/** The clock tick of /proc, the same on every Linux. */
const TICKS_A_SECOND = 100
const USER = 11
const SYSTEM = 12

/**
 * The CPU time of a process in seconds, all threads together; null where /proc is not available.
 */
export function processorSeconds(pid: number | undefined): number | null {
  try {
    const told = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // the process name may contain blanks
    const fields = told.slice(told.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[USER]) + Number(fields[SYSTEM])) / TICKS_A_SECOND
  } catch {
    return null
  }
}
