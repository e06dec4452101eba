/** SQL that queues invoices and credit notes, whose numbers are given by a job. */

import { type RawBuilder, sql } from 'kysely'
import { counts } from '#app/settings/server/demo.sql.ts'

/**
 * Queues the credit note of a refund that is done: money of an order that has an invoice. To be executed in
 * the transaction that stores the refund.
 */
export const creditNoteQueued = (refundId: string): RawBuilder<unknown> => sql`
  insert into credit_notes_due (refund_id)
  select refunds.id
  from refunds join captures on captures.id = capture_id join orders using (payment_id)
  where refunds.id = ${refundId}::uuid and refunds.state = 'done' and refunds.amount_minor > 0
    and purpose = 'order' and ${counts('test')}
    -- an order that was cancelled before it was paid in full has no invoice
    and (exists (select from invoices where order_id = orders.id)
      or exists (select from invoices_due where order_id = orders.id))`

/** Queues the invoice of an order whose payment is paid in full, in the transaction that stores that. */
export const invoiceQueued = (orderId: string): RawBuilder<unknown> => sql`
  insert into invoices_due (order_id)
  select orders.id from orders join payments on payments.id = payment_id
  where orders.id = ${orderId}::uuid and state = 'paid' and ${counts('orders.test')}`
