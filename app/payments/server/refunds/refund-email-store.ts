/** The facts of the e-mail about a refund. */
import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import { paidMinor } from './refund-store.ts'

/**
 * Locks a payment and its surplus until the transaction ends. Their buyer, who gets an e-mail, is
 * locked before.
 */
export const lockRefundedOf = (tx: Database, paymentId: string) =>
  tx
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .where(({ or, eb }) =>
      or([eb('payments.id', '=', paymentId), eb('surplus_of', '=', paymentId)]),
    )
    .orderBy('payments.id')
    .select(['payments.id', 'refunded_minor'])
    // rows are locked in the order of these clauses
    .forKeyShare('users')
    .forNoKeyUpdate('payments')
    .execute()

/** The refunds of a payment and its surplus, with their buyer and their order. */
export const selectRefundedOf = (tx: Database, paymentId: string) =>
  tx
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .leftJoin('orders', 'orders.payment_id', 'payments.id')
    .where(({ or, eb }) =>
      or([eb('payments.id', '=', paymentId), eb('surplus_of', '=', paymentId)]),
    )
    .select(['payments.id', 'payments.user_id', 'users.name', 'users.email', 'refunded_minor'])
    .select(['payments.test', 'orders.id as order_id', 'orders.number', paidMinor.as('paid_minor')])
    .select([
      sql<string>`coalesce(paid_currency, payments.currency)`.as('currency'),
      sql<string | null>`coalesce(refusal, refund_reason)`.as('reason'),
    ])
    .execute()

export type RefundedPayment = Awaited<ReturnType<typeof selectRefundedOf>>[number]
