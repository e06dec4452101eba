import { hasRow } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'

/** Codes of more starts than these are void. */
const MAX_CODES = 10

/** Stores a code, and deletes the oldest above the limit. */
export async function insertCode(tx: Database, code_hash: Buffer): Promise<void> {
  await tx.insertInto('first_run_codes').values({ code_hash }).execute()
  await tx
    .deleteFrom('first_run_codes')
    .where('code_hash', 'not in', (eb) =>
      eb
        .selectFrom('first_run_codes')
        .select('code_hash')
        .orderBy('created_at', 'desc')
        .orderBy('code_hash')
        .limit(MAX_CODES),
    )
    .execute()
}

export const selectIsCode = (db: Database, code_hash: Buffer): Promise<boolean> =>
  hasRow(db.selectFrom('first_run_codes').where('code_hash', '=', code_hash))

/** Deletes every code, and returns them. A second transaction waits for the first, and gets none. */
export async function deleteCodes(tx: Database): Promise<Buffer[]> {
  const codes = await tx.deleteFrom('first_run_codes').returning('code_hash').execute()
  return codes.map(({ code_hash }) => code_hash)
}
