import type { checklistCalls } from '#app/setup/checklist-contract.ts'
import type { Finding } from '#app/shared/server/doctor/finding.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import { checklistOf, type SetupSettings } from '../checklist.ts'

type Context = {
  db: Database
  settings: SetupSettings
  isDemo: boolean
  examine: () => Promise<Finding[]>
}

/** Findings are made at most once a minute: the doctor reads whole tables. */
const KEPT_MS = 60_000

/** Runs the work, or returns its last result while that is younger than `KEPT_MS`. */
function onceAMinute<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let last: { result: Promise<Result>; until: number } | null = null
  return () => {
    if (last && performance.now() < last.until) return last.result
    const result = work()
    last = { result, until: performance.now() + KEPT_MS }
    result.catch(() => {
      last = null
    })
    return result
  }
}

/** The handlers of the back office's calls. */
export function checklistHandlers({
  db,
  settings,
  isDemo,
  examine,
}: Context): Handlers<typeof checklistCalls> {
  return {
    getChecklist: async () => (isDemo ? [] : checklistOf(db, settings)),
    getFindings: onceAMinute(examine),
  }
}
