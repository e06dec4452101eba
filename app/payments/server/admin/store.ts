import { sql } from 'kysely'
import { RESOLVABLE_STATES } from '#app/payments/admin-contract.ts'
import { hasRow } from '#app/shared/server/store.ts'
import type { Database, Row } from '#db/schema.ts'
import type { Payment } from '../store.ts'

/** Resolves an issue with a note; false when the payment has none that an admin can resolve. */
export async function markResolved(
  tx: Database,
  { id, note }: { id: string; note: string },
): Promise<boolean> {
  const resolution = {
    resolution_note: note,
    resolved_at: sql<Date>`case when resolution_note = ${note} then resolved_at else now() end`,
  }
  const unknown = await tx
    .updateTable('unknown_payments')
    .set(resolution)
    .where('provider_payment_id', '=', id)
    .executeTakeFirst()
  const known = await tx
    .updateTable('payments')
    .from('payment_overview as overview')
    .set(resolution)
    // the issue that is resolved: a later one needs attention again
    .set({
      issue: sql`case overview.state when 'paid_cancelled' then 'paid_cancelled' else issue end`,
    })
    .where('provider_payment_id', '=', id)
    .whereRef('overview.id', '=', 'payments.id')
    .where(sql<boolean>`overview.state = any(${[...RESOLVABLE_STATES, 'resolved']}::text[])`)
    .where(({ or, eb }) =>
      or([eb('overview.state', '!=', 'refund_refused'), eb('refusal', 'is not', null)]),
    )
    .executeTakeFirst()
  return unknown.numUpdatedRows + known.numUpdatedRows > 0n
}

/** Whether there is a payment of this id: the provider's, or the shop's of one that is started. */
export async function isKnown(db: Database, id: string): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from payments where provider_payment_id = ${id} or id::text = ${id})
      as known`.execute(db)
  return rows[0]?.known ?? false
}

/** The payment of an order, locked until the transaction ends. */
export const lockPaymentOfOrder = (tx: Database, orderId: string): Promise<Payment | undefined> =>
  tx
    .selectFrom('orders')
    .innerJoin('payments', 'payments.id', 'orders.payment_id')
    .where('orders.id', '=', orderId)
    .selectAll('payments')
    .forUpdate('payments')
    .executeTakeFirst()

/** The job refunds a payment from now on, until `refund_minor` is refunded in all. */
export const requestRefund = (
  tx: Database,
  id: string,
  request: { refund_minor: number | null; refund_reason: string },
) =>
  tx
    .updateTable('payments')
    .set({
      ...request,
      state: 'refund_pending',
      refund_id: null,
      refund_accepted: false,
      refund_refused: false,
      refund_attempt: sql<number>`refund_attempt + 1`,
      next_attempt_at: sql<Date>`now()`,
      attempts: 0,
      last_error: null,
    })
    .where('id', '=', id)
    .execute()

/** An order without money is refunded. */
export const markNothingRefunded = (tx: Database, id: string, refund_reason: string) =>
  tx
    .updateTable('payments')
    .set({ state: 'refunded', refund_reason })
    .where('id', '=', id)
    .execute()

/** Whether the buyer's bank disputes a payment. */
export const isDisputed = (db: Database, id: string): Promise<boolean> =>
  hasRow(db.selectFrom('disputes').where('payment_id', '=', id).where('state', '=', 'open'))

/** How the last attempt of a payment's refund ended. */
export const selectRefund = (
  db: Database,
  id: string,
): Promise<Pick<Row<'payments'>, 'refund_refused' | 'last_error'>> =>
  db
    .selectFrom('payments')
    .where('id', '=', id)
    .select(['refund_refused', 'last_error'])
    .executeTakeFirstOrThrow()

/** The payment of an order whose money the provider has not captured, as far as the shop knows. */
export const selectUncaptured = (db: Database, orderId: string) =>
  db
    .selectFrom('orders')
    .innerJoin('payments', 'payments.id', 'orders.payment_id')
    .where('orders.id', '=', orderId)
    .where('payments.state', '=', 'captured')
    .where('confirmed_at', 'is', null)
    .select(['payments.id', 'payments.provider'])
    .executeTakeFirst()
