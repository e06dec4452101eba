import type { Database } from '#db/schema.ts'

/** A change of the data behind this tag. */
export type Change = {
  tag: string
  /** For how many milliseconds answers with the tag may still be served stale. */
  stale_ms: number
}

/** The tag of every answer. */
export const EVERYTHING_TAG = '*'

/**
 * Publishes changed tags to the page caches of all processes, in the transaction that makes the
 * changes: they take effect when it commits.
 */
export async function publishChanges(tx: Database, changes: Change[]): Promise<void> {
  if (changes.length > 0) await tx.insertInto('change_feed').values(changes).execute()
}
