import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import type { ProviderOrder, ProviderPayment } from './provider.ts'

export const insertPaid = (db: Database, payment: { id: string; provider_order_id: string }) =>
  db.insertInto('sandbox_payments').values(payment).execute()

/** What came in for an order and did not go back. */
export async function selectPaid(
  db: Database,
  providerOrderId: string,
): Promise<ProviderPayment[]> {
  const paid = await db
    .selectFrom('sandbox_payments')
    .innerJoin('payments', 'payments.provider_order_id', 'sandbox_payments.provider_order_id')
    .where('sandbox_payments.provider_order_id', '=', providerOrderId)
    .where('refunded_at', 'is', null)
    .orderBy('sandbox_payments.id')
    .select(['sandbox_payments.id', 'amount_minor as amountMinor', 'currency'])
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
          .where('refunded_at', 'is', null),
      )
        .$castTo<boolean>()
        .as('isPaid'),
    )
    .executeTakeFirst()

export async function markGivenBack(db: Database, id: string): Promise<void> {
  await db
    .updateTable('sandbox_payments')
    .set({ refunded_at: sql`now()` })
    .where('id', '=', id)
    .where('refunded_at', 'is', null)
    .execute()
}

/** How much of a payment went back, in minor units. */
export async function selectGivenBack(db: Database, id: string): Promise<number> {
  const back = await db
    .selectFrom('sandbox_payments')
    .innerJoin('payments', 'payments.provider_order_id', 'sandbox_payments.provider_order_id')
    .where('sandbox_payments.id', '=', id)
    .where('refunded_at', 'is not', null)
    .select('amount_minor')
    .executeTakeFirst()
  return back?.amount_minor ?? 0
}
