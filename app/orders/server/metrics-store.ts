import type { Database } from '#db/schema.ts'

/** How many orders stand at each status, without test orders, from the counts that the database keeps. */
export async function countOrdersByStatus(db: Database): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('order_counts')
    .where('test', '=', false)
    .groupBy('status')
    .select(({ fn }) => ['status', fn.sum<number>('orders').as('orders')])
    .execute()
  return Object.fromEntries(rows.map(({ status, orders }) => [status, Number(orders)]))
}
