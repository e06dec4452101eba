/**
 * Statements that read and change the stock; `takeStock`, `exchangeStock` and `returnStock` of `service.ts` call them. A
 * new reservation takes its stock as a part of its own statement: `takeStockInStatement` in `stock.sql.ts`.
 */
import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import { MEANT_VARIANT } from './products-as-sold.sql.ts'
import { PUBLISHED } from './publication/published.sql.ts'
import { priceOf } from './variants/price.sql.ts'
import { productOfRemoved, valuesOfRemoved } from './variants/removed.sql.ts'

/** The quantity and the price of each variant; an id of a product is its listed variant. */
export async function selectStock(db: Database, ids: string[]) {
  const { rows } = await sql<{ id: string; quantity: number; price_minor: number }>`
    select given.id, quantity, ${priceOf()} as price_minor
    from unnest(${ids}::uuid[]) as given (id)
    ${MEANT_VARIANT}
    join variants on variants.id = meant.id`.execute(db)
  return rows
}

/** The quantity to take from the stock of a variant, or of a product's listed variant; negative to return it. */
export type StockChange = { id: string; quantity: number }

/** The quantity left of the variant that an id means, and the quantity taken of it by all ids that mean it. */
type StockLeft = { id: string; product_id: string; quantity: number; taken: number }

/**
 * Changes the stock by one conditional update. Answers the quantities left; a variant with too small
 * a quantity, or that does not exist, is unchanged and missing in the answer. Rows are locked in the
 * order of their ids, products before their variants, so that concurrent sales never deadlock; the quantity is that of
 * the locked row, which another transaction may have changed since the statement began.
 */
export async function changeStock(db: Database, changes: StockChange[]): Promise<StockLeft[]> {
  const ids = changes.map(({ id }) => id)
  const quantities = changes.map(({ quantity }) => quantity)
  const { rows } = await sql<StockLeft>`
    with change as (
      select meant.id, array_agg(given.id) as given, sum(given.taken)::integer as taken
      from unnest(${ids}::uuid[], ${quantities}::integer[]) as given (id, taken)
      ${MEANT_VARIANT}
      group by meant.id
    ),
    locked_products as (
      select products.id from products
      where id in (select product_id from variants where id in (select id from change))
      order by products.id
      for no key update
    ),
    locked as (
      select variants.id, variants.quantity, change.taken, change.given
      from change join variants on variants.id = change.id
      where (select count(*) from locked_products) >= 0
      order by variants.id
      for no key update of variants
    ),
    changed as (
      update variants
      set quantity = locked.quantity - taken
      from locked
      where variants.id = locked.id and locked.quantity >= taken
      returning variants.product_id, variants.quantity, taken, given
    )
    select unnest(given) as id, product_id, quantity, taken from changed`.execute(db)
  return rows
}

/**
 * The name of one of these that is not sold any more: a product that is not in the shop, or a variant that was removed
 * from its product, as far as its values exist.
 */
export async function selectRemovedName(db: Database, ids: string[]): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    (select products.name
      from unnest(${ids}::uuid[]) as given (id)
      ${MEANT_VARIANT}
      join variants on variants.id = meant.id
      join products on products.id = product_id
      where not ${PUBLISHED} limit 1)
    union all
    (select products.name || coalesce(' – ' || ${valuesOfRemoved(sql`given.id`)}, '')
      from unnest(${ids}::uuid[]) as given (id)
      join products on products.id = ${productOfRemoved(sql`given.id`)} limit 1)`.execute(db)
  return rows[0]?.name
}
