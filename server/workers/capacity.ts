import { availableParallelism } from 'node:os'
import type { Config } from '../config.ts'

/** More processes gain less than a second machine. */
const MOST_BY_ITSELF = 32

/** Database connections of one process: maximum and minimum. */
const MOST_CONNECTIONS = 10
const FEWEST_CONNECTIONS = 2
/** The share of one machine of the hundred connections that PostgreSQL allows by default. */
const OF_ONE_MACHINE = 90

/** The number of processes that serve the shop. */
export function workersOf({ WORKERS, DATABASE_URL }: Config): number {
  if (WORKERS !== undefined) return WORKERS
  return DATABASE_URL ? Math.min(availableParallelism(), MOST_BY_ITSELF) : 1
}

/** The pool size of each process, so that all connections fit on the server. */
export function poolSizeOf(config: Config): number {
  const share = Math.floor(OF_ONE_MACHINE / workersOf(config))
  return Math.min(MOST_CONNECTIONS, Math.max(FEWEST_CONNECTIONS, share))
}

/** The maximum number of connections of all processes. */
export const connectionsOf = (config: Config): number => workersOf(config) * poolSizeOf(config)
