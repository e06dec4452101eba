import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/** The role of a worker. */
export type WorkerRole = {
  /** Runs the background jobs, and the one-time steps of the start. */
  runsJobs: boolean
  /** Prints the startup messages. */
  announces: boolean
}

const WORKER = '--worker='

/** The arguments of a worker process. */
export const workerArguments = (role: WorkerRole): string[] => [WORKER + JSON.stringify(role)]

/** The role of this process; undefined when it is the whole shop, or the primary. */
export function workerRole(): WorkerRole | undefined {
  const role = process.argv.find((argument) => argument.startsWith(WORKER))
  return role && JSON.parse(role.slice(WORKER.length))
}

/** Workers share the compile cache of their primary. */
export function workerEnvironment(): Record<string, string> {
  const folder = getCompileCacheDir()
  return folder ? { NODE_COMPILE_CACHE: dirname(folder) } : {}
}

/** A worker that lived this long is restarted at once. */
const LONG_LIFE_MS = 10_000
const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 30_000

/**
 * Creates the exponential backoff of one slot: a function from a worker's lifetime to the delay of
 * its restart, in milliseconds.
 */
export function restartDelays(): (livedMs: number) => number {
  let crashes = 0
  return (livedMs) => {
    crashes = livedMs < LONG_LIFE_MS ? crashes + 1 : 0
    return crashes === 0 ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (crashes - 1))
  }
}
