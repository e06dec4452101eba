import type { Database } from '#db/schema.ts'

/** The number of orders in each status, without test orders. */
export async function countOrdersByStatus(db: Database): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('orders')
    .where('test', '=', false)
    .groupBy('status')
    .select(({ fn }) => ['status', fn.countAll<number>().as('orders')])
    .execute()
  return Object.fromEntries(rows.map(({ status, orders }) => [status, Number(orders)]))
}
