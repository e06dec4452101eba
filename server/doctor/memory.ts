import { type Finding, ok, warning } from '#app/shared/server/doctor/finding.ts'
import type { Config } from '../config.ts'
import { availableMb, memoryProblem, neededMb } from '../memory.ts'

/** Checks whether the shop has enough memory, as far as this process has the shop's limits. */
export function examineMemory(config: Config): Finding {
  const short = memoryProblem(config)
  return short
    ? warning('Memory', short, 'Give it more memory, or set WORKERS to fewer.')
    : ok('Memory', `${availableMb()} MB, of which the shop needs ${neededMb(config)} MB`)
}
