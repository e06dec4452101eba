import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/** How many products a category has in a price band; null stands for the whole shop. */
export type Count = { category: string | null; band: number; products: number; inStock: number }

type Counted = { categories?: string[] | undefined; bands?: number[] | undefined }

/**
 * Of each category and price band; what has no products is left out. Without categories, or with
 * several that have all the products there are, they are those of the whole shop.
 */
export async function selectCounts(db: Database, { categories, bands }: Counted): Promise<Count[]> {
  const inBands = bands ? sql`and price_band = any(${bands}::smallint[])` : sql``
  const chosen = sql`category_id = any(${categories}::uuid[])`
  const isWhole =
    categories && categories.length > 1
      ? sql`not exists (
          select from product_counts where products > 0 and not ${chosen} ${inBands}
        )`
      : sql`${sql.lit(!categories)}`
  const { rows } = await sql<Count>`
    select case when whole.is_meant then null else category_id end as category, price_band as band,
      sum(products)::integer as products, sum(in_stock)::integer as "inStock"
    from product_counts, (select ${isWhole} as is_meant) as whole
    where products > 0 ${categories ? sql`and ${chosen}` : sql``} ${inBands}
    group by 1, 2`.execute(db)
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

/** Gives back the room of what was counted, which the embedded database does not do by itself. */
export async function clearMoves(db: Database): Promise<void> {
  const { rows } = await sql<{ size: string }>`
    select pg_relation_size('product_moves') as size`.execute(db)
  if (rows[0] && Number(rows[0].size) > 0) await sql`vacuum product_moves`.execute(db)
}
