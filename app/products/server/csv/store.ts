import type { Database } from '#db/schema.ts'

/** The products after the one of this id, oldest first; the first ones after null. */
export const selectProductsAfter = (db: Database, id: string | null, limit: number) =>
  db
    .selectFrom('products')
    .innerJoin('categories', 'categories.id', 'products.category_id')
    .$if(id !== null, (rest) => rest.where('products.id', '>', id))
    .orderBy('products.id')
    .limit(limit)
    .select([
      'products.id',
      'products.slug',
      'products.name',
      'products.description',
      'products.price_minor',
      'products.quantity',
      'products.shipping',
      'categories.name as category',
    ])
    .execute()
