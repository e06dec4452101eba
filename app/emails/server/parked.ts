/** What the owner is told of e-mails that a restored backup had queued. */
import { type Finding, warning } from '#app/shared/server/doctor/finding.ts'
import type { Database } from '#db/schema.ts'
import { countEmailsByState } from './store.ts'

const ADVICE =
  'Send them with npm run shop -- emails send-parked, or delete them with npm run shop -- emails drop-parked; the Outbox lists them.'

async function describeParked(db: Database): Promise<string | null> {
  const { parked = 0 } = await countEmailsByState(db)
  if (parked === 0) return null
  return `e-mails that were queued when the restored backup was made are parked (${parked}): they may have been sent since`
}

/** The check of the doctor. */
export async function examineParked(db: Database): Promise<Finding[]> {
  const found = await describeParked(db)
  return found === null ? [] : [warning('E-mails', found, ADVICE)]
}

/** The lines of the start. */
export async function announceParked(db: Database): Promise<string[]> {
  const found = await describeParked(db)
  return found === null ? [] : [`E${found.slice(1)}. ${ADVICE}`]
}
