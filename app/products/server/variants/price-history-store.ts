/** The prices of reduced variants in the thirty days before their sale. */
import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/** The columns of a price, as the history has them. */
type Columns = {
  price_minor: number
  sale_price_minor: number | null
  sale_from: string | null
  sale_until: string | null
}

export type PriceHistory = Columns & {
  id: string
  /** When the variant was added, in ISO 8601. */
  created_at: string
  /** The edits of its price since thirty days before the sale, newest first. */
  changes: { at: string; before: Partial<Columns> }[]
}

const COLUMNS = ['price_minor', 'sale_price_minor', 'sale_from', 'sale_until']

/**
 * The variants of a product that a sale reduces now. Entries of before 0.8.0 have the price of a product without options
 * as the product's.
 */
export async function selectReduced(db: Database, productId: string): Promise<PriceHistory[]> {
  const { rows } = await sql<{ reduced: PriceHistory[] }>`
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', variants.id, 'created_at', variants.created_at, 'price_minor', price_minor,
      'sale_price_minor', sale_price_minor, 'sale_from', sale_from, 'sale_until', sale_until,
      'changes', (
        select coalesce(jsonb_agg(jsonb_build_object('at', at, 'before', before) order by audit_log.id desc), '[]')
        from audit_log
        where row_id in (variants.id, case when not has_options then products.id end)
          and action = 'update' and at > sale_from - interval '30 days'
          and before ?| ${COLUMNS}::text[]))), '[]') as reduced
    from products join variants on product_id = products.id
    where products.id = ${productId}::uuid and price_of(variants) < price_minor`.execute(db)
  return rows[0]?.reduced ?? []
}
