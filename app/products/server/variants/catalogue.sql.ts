/** Reads of variants for other domains: search engines and feeds. */
import type { Database, Row } from '#db/schema.ts'

/** A variant with what it is sold for. */
export type CatalogueVariant = Row<'sellables'>

/** The variants of these products by product, the default one first. */
export async function selectVariantsOf(
  db: Database,
  productIds: string[],
): Promise<Map<string, CatalogueVariant[]>> {
  const rows = await db
    .selectFrom('sellables')
    .where('product_id', 'in', productIds)
    .selectAll()
    .orderBy('is_default', 'desc')
    .orderBy('position')
    .orderBy('id')
    .execute()
  return Map.groupBy(rows, ({ product_id }) => product_id)
}
