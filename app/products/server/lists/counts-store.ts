import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/** How many products a category has in a price band; without a category, how many all have. */
export type Count = { category: string | null; band: number; products: number; inStock: number }

const sums = [
  sql<number>`sum(products)::integer`.as('products'),
  sql<number>`sum(in_stock)::integer`.as('inStock'),
] as const

/** By category and price band, or, of all categories, by price band; what has none is left out. */
export async function selectCounts(db: Database, categories?: string[]): Promise<Count[]> {
  const counts = db
    .selectFrom('product_counts')
    .where('products', '>', 0)
    .select(['price_band as band', ...sums])
  if (!categories) {
    const rows = await counts.groupBy('price_band').execute()
    return rows.map((row) => ({ category: null, ...row }))
  }
  return counts
    .where(sql<boolean>`category_id = any(${categories}::uuid[])`)
    .select('category_id as category')
    .groupBy(['category_id', 'price_band'])
    .execute()
}

/** How many products there are. */
export async function countProducts(db: Database): Promise<number> {
  const { total } = await db
    .selectFrom('product_counts')
    .select(sql<number>`coalesce(sum(products), 0)::integer`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}
