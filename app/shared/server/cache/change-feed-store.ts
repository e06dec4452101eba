import type { Database } from '#db/schema.ts'

/** A change of what answers with this tag show. */
export type Change = {
  tag: string
  /** For how many milliseconds such an answer may still be served while a new one is made. */
  stale_ms: number
}

/** The tag of every answer. */
export const EVERYTHING_TAG = '*'

/**
 * Tells the page caches of all processes what changes, in the transaction that changes it. The
 * caches learn of it when the transaction commits, and of nothing when it does not.
 */
export async function publishChanges(tx: Database, changes: Change[]): Promise<void> {
  if (changes.length > 0) await tx.insertInto('change_feed').values(changes).execute()
}
