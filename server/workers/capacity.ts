import { availableParallelism, totalmem } from 'node:os'
import type { Config } from '../config.ts'

/** More processes gain less than a second machine. */
const MAX_DEFAULT_WORKERS = 32

/** Database connections of one process: maximum and minimum. */
const MAX_CONNECTIONS = 10
const MIN_CONNECTIONS = 2
/** The share of one machine of the hundred connections that PostgreSQL allows by default. */
const CONNECTIONS_PER_MACHINE = 90

/** The number of processes that serve the shop. */
export function workersOf({ WORKERS, DATABASE_URL }: Config): number {
  if (WORKERS !== undefined) return WORKERS
  return DATABASE_URL ? Math.min(availableParallelism(), MAX_DEFAULT_WORKERS) : 1
}

/** The pool size of each process, so that all connections fit on the server. */
export function poolSizeOf(config: Config): number {
  const share = Math.floor(CONNECTIONS_PER_MACHINE / workersOf(config))
  return Math.min(MAX_CONNECTIONS, Math.max(MIN_CONNECTIONS, share))
}

/** The maximum number of connections of all processes. */
export const connectionsOf = (config: Config): number => workersOf(config) * poolSizeOf(config)

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
