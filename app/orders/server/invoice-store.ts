import { sql } from 'kysely'
import { dayOf } from '#app/shared/server/settings/day-store.ts'
import { anyOf } from '#app/shared/server/store.ts'
import { PREPARED } from '#db/prepared.ts'
import type { Database, Row } from '#db/schema.ts'
import type { Invoice } from '../contract.ts'
import { orders } from './store.ts'

/** Orders with their lines as sold, their day, and their invoice once it is issued. */
const soldOrders = (db: Database) =>
  orders(db).select([
    sql<Omit<Row<'order_lines'>, 'description'>[]>`
      (select jsonb_agg(to_jsonb(line) - 'description' order by position)
        from order_lines as line where order_id = orders.id)`.as('lines'),
    sql<string>`${dayOf(sql.ref('orders.created_at'))}::text`.as('ordered_on'),
    sql<Pick<Invoice, 'number' | 'date' | 'seller'> | null>`
      (select jsonb_build_object('number', number, 'date', issued_on, 'seller', jsonb_build_object(
          'name', seller_name, 'address', seller_address, 'taxNumber', seller_tax_number))
        from invoices where order_id = orders.id)`.as('invoice'),
  ])

export type SoldOrder = Awaited<ReturnType<typeof selectSold>>[number]

/** Some orders, by one statement for any number of them. */
export const selectSold = (db: Database, orderIds: string[]) =>
  soldOrders(db).modifyFront(PREPARED).where('orders.id', '=', anyOf(orderIds)).execute()

/** The orders after the one of this id, oldest first; the first ones after null. */
export const selectSoldAfter = (db: Database, id: string | null, limit: number) =>
  soldOrders(db)
    .$if(id !== null, (rest) => rest.where('orders.id', '>', id))
    .orderBy('orders.id')
    .limit(limit)
    .execute()

/** Whether an invoice or a credit note is to be issued. */
export async function hasInvoicesDue(db: Database): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (select from invoices_due) or exists (select from credit_notes_due) as due`.execute(
    db,
  )
  return rows[0]?.due ?? false
}

/**
 * Issues the invoices that are due, in the order of their orders, from the number after the largest on. The
 * caller holds the lock, which it acquired in an earlier statement of the transaction: this statement then
 * sees every number that was given before.
 */
export const insertInvoices = (tx: Database, { name, address, taxNumber }: Invoice['seller']) =>
  sql`
    with due as (delete from invoices_due returning order_id)
    insert into invoices (number, order_id, issued_on, seller_name, seller_address, seller_tax_number)
    select (select coalesce(max(number), 0) from invoices) + row_number() over (order by orders.number),
      orders.id, ${dayOf(sql`clock_timestamp()`)}, ${name}, ${address}, ${taxNumber}
    from due join orders on orders.id = order_id`.execute(tx)
