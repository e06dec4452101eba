import type { Standing } from '#app/shared/server/limits/tally.ts'
import type { Counts } from '../operation/metrics.ts'

/** The words on the command line that make a process a worker, and one that does the jobs. */
export const WORKER = '--worker'
export const WITH_JOBS = '--with-jobs'

/** What is to be done with a tally. */
export type Counting = { add: [key: string, by: number, seconds: number] } | { forget: string }

/** What is counted: by the process itself, or by the database, which is asked only once. */
export type Part = 'process' | 'database'

/** What a worker sends to the first process. */
export type FromWorker =
  | { is: 'open'; lines: string[] }
  | { is: 'counting'; id: number; counting: Counting }
  | { is: 'counts'; id: number; counts: Counts }

/** What the first process sends to a worker. */
export type FromFirst =
  | { is: 'counted'; id: number; standing: Standing }
  | { is: 'count'; id: number; part: Part }
