/** What products are listed by, which is derived from their variants. */
import { sql } from 'kysely'
import { anyOf, LATER } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'

/**
 * Derives by which variant and at which price products are listed, whether they are in stock and whether they have
 * options. Called after each change of prices, variants or options. A sell-out does the same by a trigger.
 */
export const refreshListings = (tx: Database, ids: string[]) =>
  sql`select refresh_listing(${ids}::uuid[])`.execute(tx)

/** Records that variants of products were edited: the time of the last edit of these, and what they are listed by. */
export async function recordEdits(tx: Database, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`update products set updated_at = ${LATER} where id = ${anyOf(ids)}`.execute(tx)
  await refreshListings(tx, ids)
}
