/** SQL that reads and sells products inside a statement of another domain. */
import { type RawBuilder, sql } from 'kysely'
import { AVAILABILITY_TAG, productTag } from '../tags-contract.ts'
import { LIST_STALE_MS, QUANTITY_STALE_MS } from './publish.ts'
import type { SoldLine } from './service.ts'

/** A product as it is sold today. */
export type ProductAsSold = {
  id: string
  name: string
  slug: string
  description: string
  price_minor: number
  category_id: string
  needs_shipping: boolean
  /** Of one piece; null when it is unknown. */
  weight_grams: number | null
  /** Null: Standard. */
  tax_class_id: string | null
  /** How many are in stock. */
  stock: number
  photo_version: string | null
}

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

/**
 * A value of all lines, as an array. The planner does not see its length, so that one plan serves every
 * cart: otherwise PostgreSQL plans the prepared statement anew each time.
 */
const columnOf = <Value>(
  lines: SoldLine[],
  type: 'uuid' | 'integer',
  pick: (line: SoldLine) => Value,
) => sql`(select ${lines.map(pick)}::${sql.raw(type)}[])`

/**
 * Common table expressions that take the pieces of all lines from the stock, at these prices, or none
 * of them: `taken` has a row of each product that was taken. None is taken unless the condition is true.
 * Rows are locked in the order of their ids, so that concurrent sales never deadlock.
 */
export const stockTaken = (
  lines: SoldLine[],
  condition: RawBuilder<boolean>,
): RawBuilder<unknown> => sql`
  locked as (
    select products.id, line.pieces
    from unnest(
      ${columnOf(lines, 'uuid', (line) => line.product_id)},
      ${columnOf(lines, 'integer', (line) => line.quantity)},
      ${columnOf(lines, 'integer', (line) => line.price_minor)}
    ) as line (id, pieces, price_minor)
    join products on products.id = line.id
    where products.quantity >= line.pieces and products.price_minor = line.price_minor
      and ${condition}
    order by products.id
    for no key update of products
  ),
  taken as (
    update products
    set quantity = products.quantity - locked.pieces
    from locked
    where products.id = locked.id and (select count(*) from locked) = ${lines.length}::integer
    returning products.id, products.quantity
  ),
  published as (
    insert into change_feed (tag, stale_ms)
    select ${productTag('')}::text || id, ${QUANTITY_STALE_MS}::integer from taken
    union all
    select ${AVAILABILITY_TAG}::text, ${LIST_STALE_MS}::integer
    where exists (select from taken where quantity = 0)
  )`
