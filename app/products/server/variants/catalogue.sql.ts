/** Reads of variants for other domains: search engines and feeds. */
import type { Database, Row } from '#db/schema.ts'

/** A variant with what it is sold for, and the id of its own photo; null: it has none. */
export type CatalogueVariant = Row<'sellables'> & Pick<Row<'variants'>, 'photo_id'>

/** The variants of these products by product, the default one first. */
export async function selectVariantsOf(
  db: Database,
  productIds: string[],
): Promise<Map<string, CatalogueVariant[]>> {
  const rows = await db
    .selectFrom('sellables')
    .innerJoin('variants', 'variants.id', 'sellables.id')
    .where('sellables.product_id', 'in', productIds)
    .selectAll('sellables')
    .select('variants.photo_id')
    .orderBy('sellables.is_default', 'desc')
    .orderBy('sellables.position')
    .orderBy('sellables.id')
    .execute()
  return Map.groupBy(rows, ({ product_id }) => product_id)
}
