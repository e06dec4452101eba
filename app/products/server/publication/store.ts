/** Statements of status, planned times and sale prices. */
import { type RawBuilder, sql } from 'kysely'
import { TIME_ZONE } from '#app/shared/server/settings/day-store.ts'
import { anyOf, LATER } from '#app/shared/server/store.ts'
import type { Database, Row } from '#db/schema.ts'
import { ATTRIBUTE_VALUES } from '../attributes/store.ts'
import { withPage } from '../store.ts'
import { regularCompareAt, regularPrice } from './regular.sql.ts'

/** The status of a product, its price, and what is planned. */
export type Plan = Pick<
  Row<'products'>,
  'status' | 'publish_at' | 'unpublish_at' | 'sale_price_minor' | 'sale_from' | 'sale_until'
>

const localTime = (column: string) => sql<string | null>`
  to_char(${sql.ref(`products.${column}`)} at time zone ${TIME_ZONE}, 'YYYY-MM-DD"T"HH24:MI')`

const stored = (db: Database) =>
  withPage(db)
    .select(['products.status', 'sale_price_minor', 'regular_price_minor'])
    .select([
      localTime('publish_at').as('publishAt'),
      localTime('unpublish_at').as('unpublishAt'),
      localTime('sale_from').as('saleFrom'),
      localTime('sale_until').as('saleUntil'),
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

/** As the index of products with plans. */
const HAS_PLANS = sql<boolean>`num_nonnulls(publish_at, unpublish_at, sale_until) > 0`
/** When something is due next: by then STATUS_DUE, SALE_BEGINS or SALE_ENDS is true. */
const NEXT_TIME = sql<Date>`least(publish_at, unpublish_at,
  case when regular_price_minor is null then sale_from else sale_until end)`
const STATUS_DUE = sql<boolean>`(publish_at <= now() or unpublish_at <= now())`
/** A sale begins only below the price; otherwise its plan is dropped. */
const SALE_BEGINS = sql<boolean>`(sale_from <= now() and sale_until > now() and regular_price_minor is null
  and sale_price_minor < products.price_minor)`
const SALE_ENDS = sql<boolean>`(sale_until <= now() or (sale_from <= now() and regular_price_minor is null
  and sale_price_minor >= products.price_minor))`

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

/** Of these locked products those of which something is true. */
const lockedOf = (condition: RawBuilder<boolean>, ids: string[]) => sql`
  select id, price_minor, compare_at_minor, sale_price_minor, regular_price_minor, regular_compare_at_minor
  from products where id = ${anyOf(ids)} and ${condition}`

/** Publishes drafts and archives products whose time has come; archives those of which both have. Answers which. */
export const changeDueStatuses = async (tx: Database, locked?: string[]) =>
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

type Prices = {
  from: RawBuilder<boolean>
  isInSale: boolean
  price: RawBuilder<unknown>
  compareAt: RawBuilder<unknown>
}

/** The other variants of locked products that `from` names, changed like the default variant. */
const variantsOf = ({ from, isInSale, price, compareAt }: Prices) => sql`
  locked_variants as (
    select variants.id, ${price} as price, ${compareAt} as compare_at
    from variants join locked on product_id = locked.id
    where not is_default and ${from}
    order by variants.id for no key update of variants
  ),
  changed_variants as (
    update variants set price_minor = price, compare_at_minor = compare_at, in_sale = ${isInSale},
      updated_at = ${LATER}
    from locked_variants where variants.id = locked_variants.id
  )`

/**
 * Begins due sales: the sale's price is the price, and the regular one the compare-at price, also of other variants
 * that cost the same as the default one. Answers the products.
 */
export const beginDueSales = async (tx: Database, locked?: string[]) =>
  idsOf(
    tx,
    sql`
      with locked as materialized (${lockedOf(SALE_BEGINS, locked ?? (await lockDue(tx, SALE_BEGINS)))}),
      ${variantsOf({
        from: sql`(variants.price_minor, variants.compare_at_minor)
          is not distinct from (locked.price_minor, locked.compare_at_minor)`,
        isInSale: true,
        price: sql`sale_price_minor`,
        compareAt: sql`locked.price_minor`,
      })}
      update products set
        regular_price_minor = locked.price_minor,
        regular_compare_at_minor = locked.compare_at_minor,
        price_minor = locked.sale_price_minor,
        compare_at_minor = locked.price_minor,
        updated_at = ${LATER}
      from locked where products.id = locked.id returning products.id`,
  )

/**
 * Ends sales: prices that are still those of the sale become the regular ones again; one that was edited meanwhile
 * stays. The plan is dropped, unless it is `kept` because it is being edited. Answers the products.
 */
const endSales = (tx: Database, locked: RawBuilder<unknown>, kept: boolean) =>
  idsOf(
    tx,
    sql`
      with locked as materialized (${locked}),
      ${variantsOf({
        from: sql`variants.in_sale`,
        isInSale: false,
        price: regularPrice('variants', 'locked'),
        compareAt: regularCompareAt('variants', 'locked'),
      })}
      update products set
        price_minor = ${regularPrice('products', 'locked')},
        compare_at_minor = ${regularCompareAt('products', 'locked')},
        regular_price_minor = null,
        regular_compare_at_minor = null,
        ${kept ? sql`` : sql`sale_price_minor = null, sale_from = null, sale_until = null,`}
        updated_at = ${LATER}
      from locked where products.id = locked.id returning products.id`,
  )

export const endDueSales = async (tx: Database, locked?: string[]) =>
  endSales(tx, lockedOf(SALE_ENDS, locked ?? (await lockDue(tx, SALE_ENDS))), false)

/** Ends the sales of locked products, so that these can be edited as they are without one. The plans stay. */
export const interruptSales = (tx: Database, ids: string[]) =>
  endSales(tx, lockedOf(sql<boolean>`regular_price_minor is not null`, ids), true)

const ENDED_BY_EDIT = sql<boolean>`regular_price_minor is not null and price_minor <> sale_price_minor`

/**
 * As `interruptSales`, but the plans of sales whose price was edited are dropped: they do not begin again. Answers the
 * products of the others.
 */
export async function pauseSales(tx: Database, ids: string[]): Promise<string[]> {
  await endSales(tx, lockedOf(ENDED_BY_EDIT, ids), false)
  return interruptSales(tx, ids)
}
