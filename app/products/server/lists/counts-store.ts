import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/** How many products a category has in a price band. */
export type Count = { category: string; band: number; products: number; inStock: number }

type Counted = { categories?: string[] | undefined; bands?: number[] | undefined }

/** Of each category and price band; what has no products is left out. */
export async function selectCounts(db: Database, { categories, bands }: Counted): Promise<Count[]> {
  const { rows } = await sql<Count>`
    select category_id as category, price_band as band, products, in_stock as "inStock"
    from product_counts where products > 0
      ${categories ? sql`and category_id = any(${categories}::uuid[])` : sql``}
      ${bands ? sql`and price_band = any(${bands}::smallint[])` : sql``}`.execute(db)
  return rows
}

/** How many products there are. */
export async function countProducts(db: Database): Promise<number> {
  const { total } = await db
    .selectFrom('product_counts')
    .select(sql<number>`coalesce(sum(products), 0)::integer`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}
