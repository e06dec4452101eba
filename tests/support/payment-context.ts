import { vi } from 'vitest'
import {
  type OpenProvider,
  type PaymentContext,
  providersOf,
} from '#app/payments/server/context.ts'
import type { Refund } from '#app/payments/server/providers/provider.ts'
import { reconcile } from '#app/payments/server/reconciliation/reconciliation.ts'
import { processRefunds } from '#app/payments/server/refunds/refunds.ts'
import type { Database } from '#db/schema.ts'
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

/** A context with this provider, which it has by itself, too. */
export const contextWith = (
  provider: OpenProvider,
  rest: Omit<PaymentContext, 'providers'>,
): PaymentContext & { provider: OpenProvider } => ({
  ...rest,
  provider,
  providers: providersOf([provider]),
})

/**
 * A payment context for calling jobs directly: its provider is that of the shop with some functions
 * replaced, and its log is mocked.
 */
export function paymentContext(shop: TestShop, replaced: Partial<OpenProvider> = {}) {
  const log = { debug: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const rules = { providerCurrency: null, reservationMinutes: 15, retrySeconds: 60 }
  return { ...contextWith({ ...shop.provider, ...replaced }, { log, ...rules }), log }
}

/** Makes every poll and refund due, and runs both jobs. */
export async function runPaymentJobs(db: Database, context: PaymentContext): Promise<void> {
  for (const table of ['payments', 'refunds'] as const)
    await db
      .updateTable(table)
      .set({ next_attempt_at: new Date(0) })
      .where('next_attempt_at', 'is not', null)
      .execute()
  await reconcile(db, context)
  await processRefunds(db, context)
}
