import { modules } from '#app/modules.ts'
import { type Finding, ok, problem } from '#app/shared/server/doctor/finding.ts'
import { MAX_VIOLATIONS, selectViolations } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'

/** How many rows a finding names. */
const NAMED = 10

const ADVICE =
  'Compare these rows with the audit log and the payment provider before you change anything; a restored backup shows when they were still right.'

function foundIn(violation: string, ids: string[]): string {
  const count = ids.length === MAX_VIOLATIONS ? `${ids.length} or more` : ids.length
  const more = ids.length > NAMED ? ', …' : ''
  return `${violation} (${count}): ${ids.slice(0, NAMED).join(', ')}${more}`
}

/** Checks every invariant of the domains; reads whole tables. */
export async function examineInvariants(db: Database): Promise<Finding[]> {
  const invariants = modules.flatMap((module) => module.invariants ?? [])
  const findings: Finding[] = []
  for (const invariant of invariants) {
    const ids = await selectViolations(db, invariant)
    const { name, violation } = invariant
    if (ids.length > 0) findings.push(problem(`Invariant ${name}`, foundIn(violation, ids), ADVICE))
  }
  if (findings.length > 0) return findings
  return [ok('Invariants', `all ${invariants.length} hold`)]
}
