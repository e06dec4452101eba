/** The money of an order, as its page lists it. */
import { sql } from 'kysely'
import { anyOf } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'

/** The money that came in for the order of a payment, the first first. */
export const selectCaptures = (db: Database, paymentId: string) =>
  db
    .selectFrom('captures')
    .innerJoin('capture_overview', 'capture_overview.id', 'captures.id')
    .where('captures.payment_id', '=', paymentId)
    .where('purpose', '=', 'order')
    .orderBy('received_at')
    .orderBy('captures.id')
    .select(['captures.id', 'provider', 'provider_payment_id', 'amount_minor', 'received_at'])
    .select('capture_overview.state')
    .execute()

/** The refunds of that money, the first first, with the numbers of their credit notes. */
export const selectRefunds = (db: Database, paymentId: string) =>
  db
    .selectFrom('captures')
    .innerJoin('refunds', 'refunds.capture_id', 'captures.id')
    .leftJoin('credit_notes', 'credit_notes.refund_id', 'refunds.id')
    .where('payment_id', '=', paymentId)
    .where('purpose', '=', 'order')
    .orderBy('refunds.created_at')
    .orderBy('refunds.id')
    .select(['refunds.id', 'refunds.amount_minor', 'refunds.state', 'reason', 'refunds.created_at'])
    .select('credit_notes.number as credit_note')
    .execute()

/** How many of each line of an order, by its position, are neither refunded, or to be refunded, nor returned. */
export async function selectLeft(db: Database, orderId: string): Promise<Map<number, number>> {
  const { rows } = await sql<{ position: number; left: number }>`
    select position, quantity - greatest(returned_of(order_id, position, quantity), (
      select coalesce(sum(refund_lines.quantity), 0) from refund_lines join refunds on refunds.id = refund_id
      where refund_lines.order_id = sold.order_id and refund_lines.position = sold.position
        and kind = 'product' and state <> 'given_up'))::integer as left
    from order_lines as sold where order_id = ${orderId}::uuid`.execute(db)
  return new Map(rows.map(({ position, left }) => [position, left]))
}

/** The number of the invoice of an order; null while there is none. */
export async function selectInvoiceNumber(db: Database, orderId: string): Promise<number | null> {
  const row = await db
    .selectFrom('invoices')
    .where('order_id', '=', orderId)
    .select('number')
    .executeTakeFirst()
  return row?.number ?? null
}

/** The products among these that are not deleted. */
export async function selectPresentProducts(db: Database, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('products')
    .where('id', '=', anyOf(ids))
    .select(sql<string>`id`.as('id'))
    .execute()
  return new Set(rows.map(({ id }) => id))
}
