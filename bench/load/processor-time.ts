import { readFileSync } from 'node:fs'

/** The unit in which Linux tells it, to every program the same. */
const TICKS_A_SECOND = 100
const USER = 11
const SYSTEM = 12

/** Seconds that a process has kept a core busy so far, all its threads together; null where the system does not tell. */
export function processorSeconds(pid: number | undefined): number | null {
  try {
    const told = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // its name may have blanks
    const fields = told.slice(told.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[USER]) + Number(fields[SYSTEM])) / TICKS_A_SECOND
  } catch {
    return null
  }
}
