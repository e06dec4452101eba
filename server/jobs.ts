import { isOutage } from '#app/shared/server/database-errors.ts'
import type { Job } from '#app/shared/server/domain-module.ts'

type Log = { error(facts: object, message: string): void }

/**
 * Runs each job after `afterMs` and then in its interval, one run of it at a time. A failed run is
 * logged and repeated in the next interval. `close` aborts the running jobs, waits for them, and
 * starts no more. The timers do not keep the process alive.
 */
export function startJobs(jobs: Job[], log: Log, afterMs: number): { close: () => Promise<void> } {
  const timers = new Map<Job, NodeJS.Timeout>()
  const running = new Map<Job, Promise<void>>()
  const closing = new AbortController()

  const start = (job: Job) => {
    const run = job
      .run(closing.signal)
      .catch((error) => {
        // the pool's watcher logs an outage of the database once
        if (!isOutage(error)) log.error({ err: error }, `${job.name} failed`)
      })
      .then(() => {
        running.delete(job)
        if (closing.signal.aborted) return
        timers.set(job, setTimeout(start, job.everyMs, job).unref())
      })
    running.set(job, run)
  }

  for (const job of jobs) timers.set(job, setTimeout(start, afterMs, job).unref())
  return {
    async close() {
      closing.abort()
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running.values())
    },
  }
}
