/** SQL that reads what is sold, inside a statement of another domain. */
import { type RawBuilder, sql } from 'kysely'
import type { Row } from '#db/schema.ts'
import { PUBLISHED } from './publication/published.sql.ts'

/** A variant of a product as it is sold today. */
export type ProductAsSold = Pick<
  Row<'products'>,
  'slug' | 'description' | 'category_id' | 'tax_class_id'
> &
  Pick<Row<'sellables'>, 'product_id' | 'price_minor' | 'weight_grams' | 'sku' | 'options'> & {
    /** The id that the cart has: of the variant, or of the product, whose default variant it is. */
    cart_id: string
    variant_id: string
    is_default: boolean
    /** Of the product, without the values of the variant. */
    name: string
    needs_shipping: boolean
    /** Of the variant's photo, or else of the first one; null without photos. */
    photo_version: string | null
    /** How many there are. */
    stock: number
  }

/** The ids of variants that are meant by ids of variants and of products, as a lateral join of `given (id)`. */
export const MEANT_VARIANT = sql`cross join lateral (
    select id from variants where id = given.id
    union all
    select default_variant_id from products where id = given.id
  ) as meant`

/** The version of the photo that shows a variant, in a statement on sellables. */
const SHOWN_VERSION = sql`(
  select version from product_photos as photo
  where photo.product_id = sellables.product_id
    and (position = 0 or photo.id = (select photo_id from variants where variants.id = sellables.id))
  order by position desc limit 1)`

/**
 * The variants with these ids, and the default variants of the products with these ids, as JSON; unknown ids, and those
 * of products that are not in the shop, are missing. The planner does not see the number of ids, so that one plan of the prepared statement serves every cart.
 */
export const productsAsSold = (ids: string[]): RawBuilder<ProductAsSold[]> => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('cart_id', given.id, 'variant_id', sellables.id,
    'is_default', is_default,
    'product_id', products.id, 'name', name, 'slug', slug, 'description', description,
    'price_minor', sellables.price_minor, 'category_id', category_id, 'needs_shipping', shipping,
    'weight_grams', sellables.weight_grams, 'tax_class_id', tax_class_id, 'sku', sku,
    'options', options, 'stock', sellables.quantity, 'photo_version', ${SHOWN_VERSION})), '[]')
  from unnest((select ${ids}::uuid[])::uuid[]) as given (id)
  ${MEANT_VARIANT}
  join sellables on sellables.id = meant.id
  join products on products.id = sellables.product_id and ${PUBLISHED})`
