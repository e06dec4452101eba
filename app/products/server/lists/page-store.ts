/** The ids of a page, once it is known where it begins. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import type { Block, Counted, Place } from './place-store.ts'

/** A list that an index has: a category, or what of it has a price band and is in stock or sold out. */
export type Part = { category: string; band?: number; stock?: boolean }

type Id = { id: string }

const idsOf = ({ rows }: { rows: Id[] }) => rows.map(({ id }) => id)

/** The newest of each part below a number; without parts, of all products. */
function newestOf(
  parts: Part[] | null,
  below: RawBuilder<unknown>,
  limit: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (!parts) {
    return sql`select id, number from products where number < ${below}
      order by number desc limit ${limit}`
  }
  // the number as only the index has it that is meant
  const newest =
    parts[0]?.band === undefined
      ? sql`category_id = part.category and -number > -${below} order by -number`
      : sql`category_id = part.category and price_band = part.band and in_stock = part.stock
          and ~number > ~${below} order by ~number`
  return sql`
    select found.id, found.number
    from json_to_recordset(${JSON.stringify(parts)}::json)
      as part (category uuid, band smallint, stock boolean)
    cross join lateral (select id, number from products where ${newest} limit ${limit}) as found`
}

const among = ({ categories, bands, stocks }: Counted) => sql`
  ${categories ? sql`category_id = any(${categories}::uuid[])` : sql`true`}
  ${bands.length < 6 ? sql`and price_band = any(${bands}::smallint[])` : sql``}
  ${stocks.length < 2 ? sql`and in_stock = ${stocks[0]}` : sql``}`

/** The newest products of the parts; without parts, of all. */
export async function selectNewest(
  db: Database,
  parts: Part[] | null,
  limit: number,
): Promise<string[]> {
  const above = sql`${sql.lit(2 ** 31 - 1)}`
  return idsOf(
    await sql<Id>`
      select id from (${newestOf(parts, above, sql`${limit}`)}) as found
      order by number desc limit ${limit}`.execute(db),
  )
}

/** The products from a place on: those that are left there, and what comes after them. */
export async function selectNewestFrom(
  db: Database,
  parts: Part[] | null,
  counted: Counted,
  { from, to, rest, limit }: Place & { limit: number },
): Promise<string[]> {
  return idsOf(
    await sql<Id>`
      with place as materialized (
        select number, category_id, price_band, in_stock from products
        where number between ${from} and ${to}
      ), here as (
        select number from place where ${among(counted)}
        order by number desc offset ${rest} limit ${limit}
      )
      select id from (
        select id, number from here join products using (number)
        union all
        (select * from (${newestOf(parts, sql`${from}::integer`, sql`${limit}`)}) as older)
      ) as found
      order by number desc limit ${limit}`.execute(db),
  )
}

/** A stretch of a category by price: up or down, at most in a price band, from a block on. */
export type Stretch = {
  category: string
  stocks: boolean[]
  descending: boolean
  /** Prices in minor units. */
  prices?: { from: number; below: number } | undefined
  block?: Block | undefined
  /** How many products from there come before. */
  rest: number
  limit: number
}

function startOf({ descending, block }: Stretch) {
  if (!block) return sql``
  if (!descending) return sql`and (price_minor, number) >= (${block.price}, ${block.number})`
  if (block.nextPrice === null) return sql``
  return sql`and (price_minor, number) < (${block.nextPrice}, ${block.nextNumber})`
}

const boundsOf = ({ prices }: Stretch) =>
  prices
    ? sql`and price_minor >= ${prices.from}
      ${Number.isFinite(prices.below) ? sql`and price_minor < ${prices.below}` : sql``}`
    : sql``

/** The products of a stretch. */
export async function selectByPrice(db: Database, stretch: Stretch): Promise<string[]> {
  const { category, stocks, descending, rest, limit } = stretch
  const direction = sql.raw(descending ? 'desc' : 'asc')
  const inOrder = sql`order by price_minor ${direction}, number ${direction}`
  const parts = stocks.map(
    (stock) => sql`(
      select price_minor, number from products
      where category_id = ${category} and in_stock = ${sql.lit(stock)}
        ${boundsOf(stretch)} ${startOf(stretch)}
      ${inOrder} limit ${rest + limit}
    )`,
  )
  return idsOf(
    await sql<Id>`
      select id from (
        select price_minor, number from (${sql.join(parts, sql` union all `)}) as sorted
        ${inOrder} offset ${rest} limit ${limit}
      ) as found
      join products using (price_minor, number) ${inOrder}`.execute(db),
  )
}
