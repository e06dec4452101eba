import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import type { ProviderOrder, ProviderPayment } from './provider.ts'

export const insertPaid = (db: Database, payment: { id: string; provider_order_id: string }) =>
  db.insertInto('sandbox_payments').values(payment).execute()

/** The payments of an order that were not refunded. */
export async function selectPaid(
  db: Database,
  providerOrderId: string,
): Promise<ProviderPayment[]> {
  const paid = await db
    .selectFrom('sandbox_payments')
    .innerJoin('payments', 'payments.provider_order_id', 'sandbox_payments.provider_order_id')
    .where('sandbox_payments.provider_order_id', '=', providerOrderId)
    .whereRef('sandbox_payments.refunded_minor', '<', 'payments.amount_minor')
    .orderBy('sandbox_payments.id')
    .select(['sandbox_payments.id', 'amount_minor as amountMinor', 'currency'])
    .select('sandbox_payments.refunded_minor as refundedMinor')
    .execute()
  return paid.map((payment) => ({ ...payment, status: 'captured' }))
}

export const selectOrder = (
  db: Database,
  providerOrderId: string,
): Promise<ProviderOrder | undefined> =>
  db
    .selectFrom('payments')
    .where('provider_order_id', '=', providerOrderId)
    .select(['amount_minor as amountMinor', 'currency'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('sandbox_payments')
          .select('id')
          .whereRef('sandbox_payments.provider_order_id', '=', 'payments.provider_order_id')
          .whereRef('sandbox_payments.refunded_minor', '<', 'payments.amount_minor'),
      )
        .$castTo<boolean>()
        .as('isPaid'),
    )
    .executeTakeFirst()

/** Stores how much of a payment is refunded, in minor units; it never decreases. */
export async function markSandboxRefunded(db: Database, id: string, minor: number): Promise<void> {
  await db
    .updateTable('sandbox_payments')
    .set({ refunded_minor: sql<number>`greatest(refunded_minor, ${minor}::bigint)` })
    .where('id', '=', id)
    .execute()
}

/** How much of a payment was refunded, in minor units. */
export async function selectSandboxRefunded(db: Database, id: string): Promise<number> {
  const payment = await db
    .selectFrom('sandbox_payments')
    .where('id', '=', id)
    .select('refunded_minor')
    .executeTakeFirst()
  return payment?.refunded_minor ?? 0
}
