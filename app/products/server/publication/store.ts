/** Statements of status, planned times and sale prices. */
import { type RawBuilder, sql } from 'kysely'
import { TIME_ZONE } from '#app/shared/server/settings/day-store.ts'
import { anyOf, LATER } from '#app/shared/server/store.ts'
import type { Database, Row } from '#db/schema.ts'
import { ATTRIBUTE_VALUES } from '../attributes/store.ts'
import { withPage } from '../store.ts'
import { refreshListings } from '../variants/listing-store.ts'

/** The status of a product, and when it changes. */
export type Schedule = Pick<Row<'products'>, 'status' | 'publish_at' | 'unpublish_at'>

/** The sale price of a product's variants, and when it applies; all null without one. */
export type Sale = Pick<Row<'variants'>, 'sale_price_minor' | 'sale_from' | 'sale_until'>

/** The sale of the listed variant, or else of another one, that runs or has not begun, in a statement on products. */
const SALE = sql<Sale>`(
  select sale_price_minor, sale_from, sale_until from variants
  where product_id = products.id and sale_until > now()
  order by (variants.id = listed_variant_id) desc, sale_price_minor limit 1)`

const localTime = (column: string) => sql<string | null>`
  to_char(${sql.ref(column)} at time zone ${TIME_ZONE}, 'YYYY-MM-DD"T"HH24:MI')`

const stored = (db: Database) =>
  withPage(db)
    .leftJoinLateral(SALE.as('sale'), (join) => join.onTrue())
    .select([
      'products.status',
      'listed.price_minor as regular_price_minor',
      'sale.sale_price_minor',
    ])
    .select([
      localTime('products.publish_at').as('publishAt'),
      localTime('products.unpublish_at').as('unpublishAt'),
      localTime('sale.sale_from').as('saleFrom'),
      localTime('sale.sale_until').as('saleUntil'),
      ATTRIBUTE_VALUES.as('attribute_values'),
    ])

/** A product, in the shop or not, by its slug or a former one, with its plans. */
export const selectStoredBySlug = (db: Database, slug: string) =>
  stored(db)
    .innerJoin('product_slugs', 'product_slugs.product_id', 'products.id')
    .where('product_slugs.slug', '=', slug)
    .executeTakeFirst()

/** What a token of a preview is of. */
export const selectState = (db: Database, id: string) =>
  db.selectFrom('products').select(['id', 'status']).where('id', '=', id).executeTakeFirst()

/** A product, in the shop or not, as its page has it. */
export const selectPreviewed = (db: Database, id: string) =>
  withPage(db).select('products.status').where('products.id', '=', id).executeTakeFirst()

/**
 * The moments of times in the shop's zone. PostgreSQL reads a time that clocks skip as if they had not been put forward
 * yet, so 02:30 is 03:30; of a time that they show twice it takes the second one.
 */
export async function selectMoments(db: Database, times: string[]): Promise<Date[]> {
  if (times.length === 0) return []
  const { rows } = await sql<{ moment: Date }>`
    select time::timestamp at time zone ${TIME_ZONE} as moment
    from unnest(${times}::text[]) with ordinality as given (time, at) order by at`.execute(db)
  return rows.map(({ moment }) => moment)
}

/** The sale of a product, and the highest price of its variants; null when there is no such product. */
export async function selectSale(db: Database, id: string) {
  const { rows } = await sql<Sale & { highest: number }>`
    select sale.*, (select max(price_minor) from variants where product_id = products.id) as highest
    from products left join lateral ${SALE} as sale on true
    where products.id = ${id}::uuid`.execute(db)
  return rows[0] ?? null
}

/** Sets the sale of the variants of a product that cost more than its price; the others have none. */
export const updateSale = (
  tx: Database,
  productId: string,
  { sale_price_minor, sale_from, sale_until }: Sale,
) =>
  sql`
    update variants set updated_at = ${LATER},
      (sale_price_minor, sale_from, sale_until) = (
        select price, begins, ends
        from (values (${sale_price_minor}::integer, ${sale_from}::timestamptz, ${sale_until}::timestamptz))
          as given (price, begins, ends)
        where given.price < variants.price_minor)
    where product_id = ${productId}::uuid`.execute(tx)

/** As the index of products with plans. */
const HAS_PLANS = sql<boolean>`num_nonnulls(publish_at, unpublish_at, list_price_until) > 0`
/** When something is due next: by then STATUS_DUE or PRICE_DUE is true. */
const NEXT_TIME = sql<Date>`least(publish_at, unpublish_at, list_price_until)`
const STATUS_DUE = sql<boolean>`(publish_at <= now() or unpublish_at <= now())`
/** A sale of a variant began or ended. */
const PRICE_DUE = sql<boolean>`list_price_until <= now()`

/** Whether anything is due: the earliest time is the first one in the index. */
export async function selectIsDue(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select from (
      select ${NEXT_TIME} as at from products where ${HAS_PLANS} order by at limit 1
    ) as next where at <= now()`.execute(db)
  return rows.length > 0
}

const idsOf = async (db: Database, statement: RawBuilder<{ id: string }>): Promise<string[]> =>
  (await statement.execute(db)).rows.map(({ id }) => id)

/** How many products a transaction of the job changes. */
const PART = 20

/**
 * Locks products of which something is due, the earliest first. It waits for no other transaction: what another one has
 * locked is left for the next run of the job. The statement that changes them is another one: it reads them, and their
 * variants, as they are under the lock.
 */
const lockDue = (tx: Database, condition: RawBuilder<boolean>) =>
  idsOf(
    tx,
    sql`
      select id from products where ${HAS_PLANS} and ${NEXT_TIME} <= now() and ${condition}
      order by ${NEXT_TIME} limit ${sql.lit(PART)} for no key update skip locked`,
  )

/** Publishes drafts and archives products whose time has come; archives those of which both have. Answers which. */
export const changeDueStatuses = async (tx: Database, locked?: string[]): Promise<string[]> =>
  idsOf(
    tx,
    sql`
      update products set
        status = case when unpublish_at <= now() then 'archived'
          when status = 'draft' then 'published' else status end,
        publish_at = case when publish_at > now() then publish_at end,
        unpublish_at = case when unpublish_at > now() then unpublish_at end,
        updated_at = ${LATER}
      where id = ${anyOf(locked ?? (await lockDue(tx, STATUS_DUE)))} and ${STATUS_DUE}
      returning id`,
  )

/** Lists products at their prices after the sale of a variant began or ended. Answers which. */
export async function relistDue(tx: Database): Promise<string[]> {
  const ids = await lockDue(tx, PRICE_DUE)
  await refreshListings(tx, ids)
  return ids
}
