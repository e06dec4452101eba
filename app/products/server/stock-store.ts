/**
 * Statements that read and change the stock; `takeStock`, `exchangeStock` and `returnStock` of `service.ts` call them. A
 * new reservation takes its stock as a part of its own statement: `takeStockInStatement` in `stock.sql.ts`.
 */
import { sql } from 'kysely'
import { anyOf } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'

/** The quantity and the price of each product. */
export const selectStock = (db: Database, ids: string[]) =>
  db
    .selectFrom('products')
    .where('id', '=', anyOf(ids))
    .select(['id', 'quantity', 'price_minor'])
    .execute()

/** The quantity to take from the stock of a product; negative to return it. */
export type StockChange = { id: string; quantity: number }

/**
 * Changes the stock by one conditional update. Answers the quantities left; a product with too small
 * a quantity, or that does not exist, is unchanged and missing in the answer. Rows are locked in the
 * order of their ids, so that concurrent sales never deadlock; the quantity is that of the locked row,
 * which another transaction may have changed since the statement began.
 */
export async function changeStock(db: Database, changes: StockChange[]) {
  const ids = changes.map(({ id }) => id)
  const quantities = changes.map((change) => change.quantity)
  const { rows } = await sql<{ id: string; quantity: number }>`
    with locked as (
      select products.id, products.quantity, change.taken
      from unnest(${ids}::uuid[], ${quantities}::int[]) as change (id, taken)
      join products on products.id = change.id
      order by products.id
      for no key update of products
    )
    update products
    set quantity = locked.quantity - locked.taken
    from locked
    where products.id = locked.id and locked.quantity >= locked.taken
    returning products.id, products.quantity`.execute(db)
  return rows
}
