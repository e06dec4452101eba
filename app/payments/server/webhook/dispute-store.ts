/** Disputes, as the provider reports them, and what they do to the money. */
import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import type { Dispute } from '../providers/provider.ts'
import { giveUpRefunds, requestReturn } from '../refunds/refund-store.ts'

/** Stores the state of a dispute; false when it has that state already, or another final one. */
async function storeState(tx: Database, captureId: string, { id, state }: Dispute) {
  const stored = await tx
    .insertInto('disputes')
    .values({ id, capture_id: captureId, state })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ state }).where('disputes.state', '=', 'open'),
    )
    .returning('state')
    .executeTakeFirst()
  return stored?.state
}

/**
 * Notes a dispute, whose events may come in any order and any number of times: a final state stays. The
 * money of a lost one is gone, so that a refund which waits for it is over.
 */
export async function noteDispute(
  tx: Database,
  captureId: string,
  dispute: Dispute,
): Promise<void> {
  if ((await storeState(tx, captureId, dispute)) !== 'lost') return
  await sql`
    update captures
    set disputed_minor = least(disputed_minor + ${dispute.deductedMinor}::bigint, amount_minor - refunded_minor),
      issue = 'dispute_lost', resolved_at = null, resolution_note = null
    from refunds_of(${captureId}::uuid)
    where id = ${captureId}::uuid`.execute(tx)
  await giveUpRefunds(tx, [captureId])
  await requestReturn(tx, captureId)
}
