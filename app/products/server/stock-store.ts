import type { Database } from '#db/schema.ts'

export const selectProductsAsSold = (db: Database, ids: string[]) =>
  db
    .selectFrom('products')
    .where('id', 'in', ids)
    .select(['id', 'name', 'slug', 'description', 'price_minor'])
    .execute()

/** How many pieces are left of each product. */
export const selectStock = (db: Database, ids: string[]) =>
  db.selectFrom('products').where('id', 'in', ids).select(['id', 'quantity']).execute()

/**
 * Takes pieces when there are enough, or puts pieces back where the number is negative, in one
 * statement. Answers how many are left; undefined when there are too few, or no such product.
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
