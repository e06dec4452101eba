/** Payments that were started and never paid are removed after ninety days. */
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { deleteNeverPaid } from './store.ts'

/** So many in one go, so that nobody waits long for what they need. */
const BATCH = 500

/** Answers how many there were; once it is `closing`, the rest waits for the next time. */
export async function removeNeverPaid(
  db: Database,
  closing?: AbortSignal,
  batch = BATCH,
): Promise<number> {
  let removed = 0
  let last = batch
  while (last === batch && !closing?.aborted) {
    last = await inTransaction(db, SHOP, (tx) => deleteNeverPaid(tx, batch))
    removed += last
  }
  return removed
}
