/** Reads of variants for other domains: search engines and feeds. */
import type { Database, Row, StoredOption } from '#db/schema.ts'
import { optionsOf, priceBefore, priceOf } from './price.sql.ts'

/** A variant with what it is sold for. */
export type CatalogueVariant = Pick<
  Row<'variants'>,
  'id' | 'product_id' | 'quantity' | 'weight_grams' | 'sku' | 'barcode' | 'photo_id'
> & {
  price_minor: number
  /** Before a reduction; null without one. */
  before_minor: number | null
  options: StoredOption[] | null
}

/** The variants of these products by product, in their order. */
export async function selectVariantsOf(
  db: Database,
  productIds: string[],
): Promise<Map<string, CatalogueVariant[]>> {
  const rows = await db
    .selectFrom('variants')
    .where('product_id', 'in', productIds)
    .select(['id', 'product_id', 'quantity', 'weight_grams', 'sku', 'barcode', 'photo_id'])
    .select([priceOf().as('price_minor'), priceBefore().as('before_minor')])
    .select(optionsOf().as('options'))
    .orderBy('position')
    .orderBy('id')
    .execute()
  return Map.groupBy(rows, ({ product_id }) => product_id)
}
