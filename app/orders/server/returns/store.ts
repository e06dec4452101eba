/** Quantities of order lines that were returned to the stock. */
import { sql } from 'kysely'
import { anyOf } from '#app/shared/server/store.ts'
import type { Database, Row } from '#db/schema.ts'

/** How many of a row of order_lines were returned. */
const RETURNED = sql<number>`returned_of(order_lines.order_id, order_lines.position, order_lines.quantity)`

/** A line of an order, and how many of it are not returned yet. */
export type ReturnableLine = {
  order_id: string
  position: number
  product_id: string
  variant_id: string | null
  name: string
  quantity: number
  left: number
}

/** Locks orders: other returns of their stock wait until the transaction ends. */
export const lockForReturn = (tx: Database, orderIds: string[]) =>
  tx
    .selectFrom('orders')
    .where('id', '=', anyOf(orderIds))
    .orderBy('id')
    .select('id')
    .forNoKeyUpdate()
    .execute()

/** The lines of orders with how many are left to return. */
export const selectReturnable = (db: Database, orderIds: string[]): Promise<ReturnableLine[]> =>
  db
    .selectFrom('order_lines')
    .where('order_id', '=', anyOf(orderIds))
    .orderBy('order_id')
    .orderBy('position')
    .select(['order_id', 'position', 'product_id', 'variant_id', 'name', 'quantity'])
    .select(sql<number>`quantity - ${RETURNED}`.as('left'))
    .execute()

/** Notes that all of orders was returned, where it was. */
export const markStockReturned = (tx: Database, ids: string[]) =>
  tx
    .updateTable('orders')
    .set({ stock_returned_at: sql`now()` })
    .where('id', '=', anyOf(ids))
    .where('stock_returned_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('order_lines')
            .whereRef('order_id', '=', 'orders.id')
            .where(RETURNED, '<', sql.ref<number>('quantity')),
        ),
      ),
    )
    .execute()

/** Stores that quantities of lines were returned. A check refuses more than was sold. */
export const insertReturned = (tx: Database, lines: ReturnableLine[]) =>
  sql`
    insert into returned_lines (order_id, position, sold, quantity)
    select order_id, position, quantity, "left" from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
      as line(order_id uuid, position integer, quantity integer, "left" integer)
    on conflict (order_id, position)
      do update set quantity = returned_lines.quantity + excluded.quantity, returned_at = now()`.execute(
    tx,
  )

type TestLine = Pick<Row<'order_lines'>, 'order_id' | 'product_id' | 'variant_id' | 'quantity'>

/**
 * The quantities of test orders that were not returned before, by line; notes that they are returned. Another
 * process that does it, too, has ended when the second statement begins.
 */
export async function returnTestLines(tx: Database) {
  await tx
    .selectFrom('orders')
    .where('test', '=', true)
    .where('stock_returned_at', 'is', null)
    .select('id')
    .forNoKeyUpdate()
    .execute()
  const { rows } = await sql<TestLine>`
    with kept as (
      select order_id, position, product_id, variant_id, quantity as sold, quantity - ${RETURNED} as quantity
      from order_lines where order_id in (select id from orders where test and stock_returned_at is null)
    ),
    returned as (
      insert into returned_lines (order_id, position, sold, quantity)
      select order_id, position, sold, quantity from kept where quantity > 0
      on conflict (order_id, position)
        do update set quantity = returned_lines.quantity + excluded.quantity, returned_at = now()
    )
    select order_id, product_id, variant_id, quantity from kept where quantity > 0`.execute(tx)
  const ids = [...new Set(rows.map(({ order_id }) => order_id))]
  await tx
    .updateTable('orders')
    .set({ stock_returned_at: sql`now()` })
    .where('id', '=', anyOf(ids))
    .execute()
  return { lines: rows, orders: ids.length }
}
