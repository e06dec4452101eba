/** SQL that reads what is sold, inside a statement of another domain. */
import { type RawBuilder, sql } from 'kysely'
import type { Row, StoredOption } from '#db/schema.ts'
import { PUBLISHED } from './publication/published.sql.ts'
import { optionsOf, priceBefore, priceOf } from './variants/price.sql.ts'

/** A variant of a product as it is sold today. */
export type ProductAsSold = Pick<
  Row<'products'>,
  'slug' | 'description' | 'category_id' | 'tax_class_id'
> &
  Pick<Row<'variants'>, 'product_id' | 'weight_grams' | 'sku'> & {
    /** The id that the cart has: of the variant, or of the product, whose listed variant it is. */
    cart_id: string
    variant_id: string
    /** The price now, and before a reduction; null without one. */
    price_minor: number
    before_minor: number | null
    options: StoredOption[] | null
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
    select listed_variant_id from products where id = given.id
  ) as meant`

/** The version of the photo that shows a variant, in a statement on variants. */
const SHOWN_VERSION = sql`(
  select version from product_photos as photo
  where photo.product_id = variants.product_id and (position = 0 or photo.id = variants.photo_id)
  order by position desc limit 1)`

/**
 * The variants with these ids, and the listed variants of the products with these ids, as JSON; unknown ids, and those
 * of products that are not in the shop, are missing. The planner does not see the number of ids, so that one plan of the prepared statement serves every cart.
 */
export const productsAsSold = (ids: string[]): RawBuilder<ProductAsSold[]> => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('cart_id', given.id, 'variant_id', variants.id,
    'product_id', products.id, 'name', name, 'slug', slug, 'description', description,
    'price_minor', ${priceOf()}, 'before_minor', ${priceBefore()}, 'category_id', category_id, 'needs_shipping', shipping,
    'weight_grams', weight_grams, 'tax_class_id', tax_class_id, 'sku', sku,
    'options', ${optionsOf()}, 'stock', quantity, 'photo_version', ${SHOWN_VERSION})), '[]')
  from unnest((select ${ids}::uuid[])::uuid[]) as given (id)
  ${MEANT_VARIANT}
  join variants on variants.id = meant.id
  join products on products.id = variants.product_id and ${PUBLISHED})`
