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

/**
 * Changes the stock by a conditional update: takes pieces if there are enough, or returns them when
 * the number is negative. Returns the quantity left; undefined when there are too few, or no such
 * product.
 */
export async function changeStock(
  db: Database,
  id: string,
  pieces: number,
): Promise<number | undefined> {
  const changed = await db
    .updateTable('products')
    .set((eb) => ({ quantity: eb('quantity', '-', pieces) }))
    .where('id', '=', id)
    .where('quantity', '>=', pieces)
    .returning('quantity')
    .executeTakeFirst()
  return changed?.quantity
}
