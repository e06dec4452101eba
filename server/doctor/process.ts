import { availableParallelism } from 'node:os'
import { type Finding, ok, problem, warning } from '#app/shared/server/doctor/finding.ts'
import type { Config } from '../config.ts'
import { connectionsOf, workersOf } from '../workers/count.ts'

/** Checks whether the number of processes fits this machine and the database server. */
export function examineProcesses(config: Config, connections: number): Finding[] {
  // the embedded database allows only one process
  if (!config.DATABASE_URL) return []
  const count = workersOf(config)
  const needed = connectionsOf(config)
  const found = `${count} on ${availableParallelism()} cores, with ${needed} of the ${connections} connections of the database at most`
  if (needed > connections)
    return [
      problem(
        'Processes',
        found,
        'Set WORKERS to fewer, or max_connections of the database server to more.',
      ),
    ]
  if (count > availableParallelism())
    return [warning('Processes', found, 'More processes than cores take memory and gain nothing.')]
  return [ok('Processes', found)]
}
