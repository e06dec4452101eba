import type { Database, Row } from '#db/schema.ts'

/** The products after the one of this id, oldest first; the first ones after null. */
export const selectProductsAfter = (db: Database, id: string | null, limit: number) =>
  db
    .selectFrom('products')
    .innerJoin('categories', 'categories.id', 'products.category_id')
    .leftJoin('tax_classes', 'tax_classes.id', 'products.tax_class_id')
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
      'products.weight_grams',
      'categories.name as category',
      'tax_classes.name as tax_class',
    ])
    .execute()

const FACTS = [
  ...(['products.id', 'products.name', 'products.description', 'products.price_minor'] as const),
  ...(['products.quantity', 'products.category_id', 'products.shipping'] as const),
  ...(['products.weight_grams', 'products.tax_class_id', 'products.updated_at'] as const),
] as const

/** The columns of a product that an import may change. */
export type Listed = Pick<
  Row<'products'>,
  | ('id' | 'name' | 'description' | 'price_minor' | 'quantity' | 'category_id' | 'shipping')
  | ('weight_grams' | 'tax_class_id' | 'updated_at')
>

/** The products that have or had these slugs. */
export async function selectProductsBySlugs(db: Database, slugs: string[]) {
  if (slugs.length === 0) return []
  return db
    .selectFrom('product_slugs')
    .innerJoin('products', 'products.id', 'product_slugs.product_id')
    .where('product_slugs.slug', 'in', slugs)
    .select(['product_slugs.slug as requestedSlug', ...FACTS])
    .execute()
}

export const selectCategoryKeys = (db: Database) =>
  db.selectFrom('categories').select(['id', 'name_key']).execute()
