import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import type { Invariant } from './domain-module.ts'

/** How many violations of an invariant are read. */
export const MAX_VIOLATIONS = 100

/** The ids of the rows that break an invariant, at most `MAX_VIOLATIONS`. Reads whole tables. */
export async function selectViolations(db: Database, { query }: Invariant): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id::text from (${query}) as violations limit ${MAX_VIOLATIONS}::integer`.execute(db)
  return rows.map(({ id }) => id)
}
