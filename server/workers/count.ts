import { availableParallelism } from 'node:os'
import type { Config } from '../config.ts'

/** More gain nothing that a second machine would not give, too. */
const MOST_BY_ITSELF = 32

/** What a process keeps open to the database at most, and what it needs at least. */
const [MOST_CONNECTIONS, FEWEST_CONNECTIONS] = [10, 2]
/** Of the hundred that a PostgreSQL server lets in unless told otherwise, what one machine takes. */
const OF_ONE_MACHINE = 90

/** How many processes serve the shop. */
export function workersOf({ WORKERS, DATABASE_URL }: Config): number {
  if (WORKERS !== undefined) return WORKERS
  return DATABASE_URL ? Math.min(availableParallelism(), MOST_BY_ITSELF) : 1
}

/** How many connections the pool of each process has, so that all find room on the server. */
export function poolSizeOf(config: Config): number {
  const share = Math.floor(OF_ONE_MACHINE / workersOf(config))
  return Math.min(MOST_CONNECTIONS, Math.max(FEWEST_CONNECTIONS, share))
}

/** How many connections all processes have open at most. */
export const connectionsOf = (config: Config): number => workersOf(config) * poolSizeOf(config)
