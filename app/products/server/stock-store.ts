import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

export const selectProductsAsSold = (db: Database, ids: string[]) =>
  db
    .selectFrom('products')
    .where('id', 'in', ids)
    .select(['id', 'name', 'slug', 'description', 'price_minor'])
    .execute()

/** The quantity of each product. */
export const selectStock = (db: Database, ids: string[]) =>
  db.selectFrom('products').where('id', 'in', ids).select(['id', 'quantity']).execute()

/** The pieces to take from the stock of a product; negative to return them. */
export type StockChange = { id: string; pieces: number }

/**
 * Changes the stock by one conditional update. Answers the quantities left; a product with too few
 * pieces, or that does not exist, is unchanged and missing in the answer. Rows are locked in the
 * order of their ids, so that concurrent sales never deadlock.
 */
export async function changeStock(
  db: Database,
  changes: StockChange[],
): Promise<{ id: string; quantity: number }[]> {
  const ids = changes.map(({ id }) => id)
  const pieces = changes.map((change) => change.pieces)
  const { rows } = await sql<{ id: string; quantity: number }>`
    update products
    set quantity = products.quantity - locked.pieces
    from (
      select products.id, change.pieces
      from unnest(${ids}::uuid[], ${pieces}::int[]) as change (id, pieces)
      join products on products.id = change.id
      order by products.id
      for no key update of products
    ) as locked
    where products.id = locked.id and products.quantity >= locked.pieces
    returning products.id, products.quantity`.execute(db)
  return rows
}
