/** What the end of the demo leaves of its test orders: nothing that a shop counts, is owed, or has a number. */
import { sql } from 'kysely'
import { returnStock } from '#app/products/server/service.ts'
import type { Database } from '#db/schema.ts'
import { DEMO_DISCOUNTS } from './plan-orders.ts'

/** Their numbers are free again. */
async function deleteDocuments(tx: Database) {
  const refunds = sql`(select refunds.id from refunds join captures on captures.id = capture_id
    join orders using (payment_id) where test)`
  const orders = sql`(select id from orders where test)`
  await sql`delete from credit_notes where refund_id in ${refunds}`.execute(tx)
  await sql`delete from credit_notes_due where refund_id in ${refunds}`.execute(tx)
  await sql`delete from invoices where order_id in ${orders}`.execute(tx)
  await sql`delete from invoices_due where order_id in ${orders}`.execute(tx)
}

/** Cancels the test orders that are still to be paid: nobody is reminded of one. */
async function cancelUnpaid(tx: Database) {
  const { rows } = await sql<{ product_id: string; variant_id: string | null; quantity: number }>`
    with over as (update payments set state = 'cancelled' where test and state = 'owed' returning id),
    cancelled as (
      update orders set status = 'cancel' from over where payment_id = over.id returning orders.id)
    insert into returned_lines (order_id, position, sold, quantity)
    select order_id, position, quantity, quantity
    from order_lines join cancelled on cancelled.id = order_id
    where not exists (select from returned_lines where order_id = cancelled.id)
    returning quantity,
      (select product_id from order_lines as sold
        where sold.order_id = returned_lines.order_id and sold.position = returned_lines.position),
      (select variant_id from order_lines as sold
        where sold.order_id = returned_lines.order_id and sold.position = returned_lines.position)`.execute(
    tx,
  )
  await sql`update orders set stock_returned_at = now() from payments
    where payments.id = payment_id and payments.test and state = 'cancelled' and status = 'cancel'
      and stock_returned_at is null`.execute(tx)
  await returnStock(tx, rows)
}

/** Deletes the discounts of the demo: no purchase gets them any more. */
const deleteDiscounts = (tx: Database) =>
  tx
    .updateTable('coupons')
    .set({ deleted_at: sql<Date>`now()` })
    .where(
      'code',
      'in',
      DEMO_DISCOUNTS.map(({ code }) => code),
    )
    .where('deleted_at', 'is', null)
    .execute()

/** Undoes what the test orders of a demo are beside rows that say so. */
export async function undoOrders(tx: Database): Promise<void> {
  await deleteDocuments(tx)
  await cancelUnpaid(tx)
  await deleteDiscounts(tx)
}
