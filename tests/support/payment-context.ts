import { vi } from 'vitest'
import type { PaymentContext } from '#app/payments/server/context.ts'
import type { Refund } from '#app/payments/server/providers/provider.ts'
import { type Sandbox, sandbox } from '#app/payments/server/providers/sandbox.ts'
import { reconcile } from '#app/payments/server/reconciliation/reconciliation.ts'
import { processRefunds } from '#app/payments/server/refunds/refund-job.ts'
import type { Database } from '#db/schema.ts'
import { SECRET } from './payments.ts'
import type { TestShop } from './shop.ts'

/** A completed refund, changed by `facts`. */
export const refundOf = (refundedMinor: number, facts: Partial<Refund> = {}): Refund => ({
  refundedMinor,
  pendingMinor: 0,
  refundId: null,
  failedIds: [],
  amountMinor: refundedMinor + (facts.pendingMinor ?? 0),
  ...facts,
})

/**
 * A payment context for calling jobs directly: its provider is the sandbox with some functions
 * replaced, and its log is mocked.
 */
export function paymentContext(shop: TestShop, replaced: Partial<Sandbox> = {}) {
  const log = { debug: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const provider = { ...sandbox(SECRET, '', shop.db), ...replaced }
  const rules = { currency: 'INR', reservationMinutes: 15, retrySeconds: 60 }
  return { provider, log, ...rules } satisfies PaymentContext
}

/** Makes every poll and refund due, and runs both jobs. */
export async function runPaymentJobs(db: Database, context: PaymentContext): Promise<void> {
  await db
    .updateTable('payments')
    .set({ next_attempt_at: new Date(0) })
    .where('next_attempt_at', 'is not', null)
    .execute()
  await reconcile(db, context)
  await processRefunds(db, context)
}
