/** The job that refunds money, with retries. */
import type { Database } from '#db/schema.ts'
import type { PaymentContext } from '../context.ts'
import { pollDecided } from '../reconciliation/reconciliation.ts'
import { selectDueRefunds } from './refund-store.ts'
import { refund } from './refunds.ts'

/** How many are handled in one run of the job. */
const BATCH = 100

/**
 * Retries and polls the refunds that are due at the open providers, at each until it does not answer or the
 * job is aborted. Money that the provider refuses to refund and has never confirmed may have failed there:
 * then its order is polled, and the refund ends when nothing came in.
 */
export async function processRefunds(
  db: Database,
  context: PaymentContext,
  stop?: AbortSignal,
): Promise<void> {
  for (const { name } of context.providers.all) await processAt(db, context, name, stop)
}

async function processAt(
  db: Database,
  context: PaymentContext,
  provider: string,
  stop: AbortSignal | undefined,
): Promise<void> {
  for (const { id, paymentId, isUnconfirmed } of await selectDueRefunds(db, provider, BATCH)) {
    if (stop?.aborted) return
    const attempt = await refund(db, context, id)
    // a provider that does not answer one would let each of the others wait as long
    if (attempt === 'unanswered') return
    if (attempt === 'refused' && isUnconfirmed) await pollDecided(db, context, paymentId)
  }
}
