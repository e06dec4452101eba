import { totalmem } from 'node:os'
import type { Config } from './config.ts'
import { workersOf } from './workers/count.ts'

/** The memory of a start with the embedded database; afterwards it is half of that. */
const EMBEDDED_MB = 512
/** The memory of one process on a server, and of the primary process of several. */
const PROCESS_MB = 200
const PRIMARY_MB = 100

const MEGABYTE = 2 ** 20

/** The memory that the shop needs, in MB; the page cache comes on top. */
export function neededMb(config: Config): number {
  if (!config.DATABASE_URL) return EMBEDDED_MB
  const count = workersOf(config)
  return count * PROCESS_MB + (count > 1 ? PRIMARY_MB : 0)
}

/** The memory that this process may use, in MB: of the machine, or of its control group. */
export function availableMb(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return Math.floor(bytes / MEGABYTE)
}

/** Why memory may be too short, as a sentence; null when there is enough. */
export function memoryProblem(config: Config, available = availableMb()): string | null {
  const needed = neededMb(config)
  return available < needed
    ? `The shop may use ${available} MB of memory and needs ${needed} MB: the system may end it without a word.`
    : null
}
