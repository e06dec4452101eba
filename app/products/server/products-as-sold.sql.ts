/** SQL that reads products as they are sold, inside a statement of another domain. */
import { type RawBuilder, sql } from 'kysely'
import type { Row } from '#db/schema.ts'

/** A product as it is sold today; `stock` is how many there are. */
export type ProductAsSold = Pick<
  Row<'products'>,
  | 'id'
  | 'name'
  | 'slug'
  | 'description'
  | 'price_minor'
  | 'category_id'
  | 'weight_grams'
  | 'tax_class_id'
  | 'photo_version'
> & { needs_shipping: boolean; stock: number }

/**
 * The products with these ids as JSON; unknown ones are missing. The planner does not see the number of
 * ids, so that one plan of the prepared statement serves every cart.
 */
export const productsAsSold = (ids: string[]): RawBuilder<ProductAsSold[]> => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'slug', slug,
    'description', description, 'price_minor', price_minor, 'category_id', category_id,
    'needs_shipping', shipping, 'weight_grams', weight_grams, 'tax_class_id', tax_class_id,
    'stock', quantity, 'photo_version', photo_version)), '[]')
  from products
  where id = any((select ${ids}::uuid[])::uuid[]))`
