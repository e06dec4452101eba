/** Disputes, as the provider reports them, and what they do to the money. */
import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import type { Dispute } from '../providers/provider.ts'
import { GIVEN_UP } from '../refunds/refund-store.ts'

/** Stores the state of a dispute; false when it has that state already, or another final one. */
async function storeState(tx: Database, paymentId: string, { id, state }: Dispute) {
  const stored = await tx
    .insertInto('disputes')
    .values({ id, payment_id: paymentId, state })
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
  paymentId: string,
  dispute: Dispute,
): Promise<void> {
  if ((await storeState(tx, paymentId, dispute)) !== 'lost') return
  const paid = sql<number>`coalesce(paid_minor, amount_minor)`
  await tx
    .updateTable('payments')
    .set({
      disputed_minor: sql<number>`least(disputed_minor + ${dispute.deductedMinor}::bigint,
        ${paid} - refunded_minor)`,
      issue: 'dispute_lost',
      resolved_at: null,
      resolution_note: null,
    })
    .where('id', '=', paymentId)
    .execute()
  const pending = tx
    .updateTable('payments')
    .where('id', '=', paymentId)
    .where('state', '=', 'refund_pending')
    .where('refund_accepted', '=', false)
  await pending.set(GIVEN_UP).where('refusal', 'is', null).execute()
  // money without an order is with its buyer again
  await pending
    .set({ ...GIVEN_UP, state: 'refunded', next_attempt_at: null })
    .where('refusal', 'is not', null)
    .where(sql<boolean>`refunded_minor + disputed_minor >= ${paid}`)
    .execute()
}
