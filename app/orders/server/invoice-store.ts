import { sql } from 'kysely'
import { dayOf } from '#app/shared/server/settings/day-store.ts'
import { hasRow } from '#app/shared/server/store.ts'
import { PREPARED } from '#db/prepared.ts'
import type { Database, Row } from '#db/schema.ts'
import { ADJUSTMENTS, orders } from './store.ts'

/** An order with its day. */
export const selectInvoiced = (db: Database, orderId: string) =>
  orders(db)
    .select(sql<string>`${dayOf(sql.ref('orders.created_at'))}::text`.as('ordered_on'))
    .where('orders.id', '=', orderId)
    .executeTakeFirst()

/** The issued invoice of an order; undefined when there is none. */
export const selectIssued = (db: Database, orderId: string) =>
  db
    .selectFrom('invoices')
    .where('order_id', '=', orderId)
    .select(['number', 'seller_name', 'seller_address', 'seller_tax_number'])
    .select(sql<string>`issued_on::text`.as('issued_on'))
    .executeTakeFirst()

/** Whether an invoice is to be issued. */
export const hasInvoicesDue = (db: Database): Promise<boolean> =>
  hasRow(db.selectFrom('invoices_due'))

type Seller = Pick<Row<'invoices'>, 'seller_name' | 'seller_address' | 'seller_tax_number'>

/**
 * Issues the invoices that are due, in the order of their orders, from the number after the largest on. The
 * caller holds the lock, which it acquired in an earlier statement of the transaction: this statement then
 * sees every number that was given before.
 */
export const insertInvoices = (tx: Database, seller: Seller) =>
  sql`
    with due as (delete from invoices_due returning order_id)
    insert into invoices (number, order_id, issued_on, seller_name, seller_address, seller_tax_number)
    select (select coalesce(max(number), 0) from invoices) + row_number() over (order by orders.number),
      orders.id, ${dayOf(sql`clock_timestamp()`)}, ${seller.seller_name}, ${seller.seller_address},
      ${seller.seller_tax_number}
    from due join orders on orders.id = order_id`.execute(tx)

/** The amounts of some orders, in one statement. */
export const selectAmounts = (db: Database, orderIds: string[]) =>
  db
    .selectFrom('orders')
    .modifyFront(PREPARED)
    .where(sql<boolean>`id in (select unnest(${orderIds}::uuid[]))`)
    .select([
      'id',
      'currency',
      'test',
      'total_minor',
      'buyer_name',
      'buyer_email',
      'buyer_phone',
      'buyer_address',
      ADJUSTMENTS.as('adjustments'),
      sql<Omit<Row<'order_lines'>, 'description'>[]>`
        (select jsonb_agg(to_jsonb(line) - 'description' order by position)
          from order_lines as line where order_id = orders.id)`.as('lines'),
    ])
    .execute()
