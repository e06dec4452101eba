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

/** Takes the pieces when there are enough, in one statement; says whether it did. */
export async function decreaseStock(db: Database, id: string, pieces: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('products')
    .set((eb) => ({ quantity: eb('quantity', '-', pieces) }))
    .where('id', '=', id)
    .where('quantity', '>=', pieces)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Puts pieces back; of a product that is gone there is nothing to put back. */
export const increaseStock = (db: Database, id: string, pieces: number) =>
  db
    .updateTable('products')
    .set((eb) => ({ quantity: eb('quantity', '+', pieces) }))
    .where('id', '=', id)
    .execute()
