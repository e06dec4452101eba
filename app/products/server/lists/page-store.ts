/** The ids of a page, once it is known where it begins. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import type { Block, Counted, Place } from './place-store.ts'

/**
 * A list that an index has: a category, or what has a price band and is in stock or sold out, of a
 * category or, under null, of the whole shop.
 */
export type Part = { category: string | null; band?: number; stock?: boolean }

type Id = { id: string }

const idsOf = ({ rows }: { rows: Id[] }) => rows.map(({ id }) => id)

/** Looked up one by one: of a small shop a join would read all products. */
const ID = sql`(select id from products where products.number = found.number) as id`

/** A part up to a number, with the number as only the index has it that is meant. */
function inPart({ category, band }: Part, last: RawBuilder<unknown>) {
  if (band === undefined)
    return sql`category_id = part.category and -number >= -${last} order by -number`
  const inCell = sql`price_band = part.band and in_stock = part.stock`
  return category === null
    ? sql`${inCell} and number <= ${last} order by number desc`
    : sql`category_id = part.category and ${inCell} and ~number >= ~${last} order by ~number`
}

/** The numbers of the newest of each part up to a number; without parts, of all products. */
function newestOf(parts: Part[] | null, upTo: number, limit: number): RawBuilder<unknown> {
  const [part] = parts ?? []
  const last = sql`${upTo}::integer`
  if (!part) {
    return sql`select number from products where number <= ${last}
      order by number desc limit ${limit}`
  }
  return sql`
    select found.number
    from json_to_recordset(${JSON.stringify(parts)}::json)
      as part (category uuid, band smallint, stock boolean)
    cross join lateral (select number from products where ${inPart(part, last)} limit ${limit}) as found`
}

const among = ({ categories, bands, stocks }: Counted) => sql`
  ${categories ? sql`category_id = any(${categories}::uuid[])` : sql`true`}
  ${bands.length < 6 ? sql`and price_band = any(${bands}::smallint[])` : sql``}
  ${stocks.length < 2 ? sql`and in_stock = ${stocks[0]}` : sql``}`

const LAST_NUMBER = 2 ** 31 - 1

/** The newest products of the parts; without parts, of all. Those that are skipped, each part is asked for. */
export async function selectNewest(
  db: Database,
  parts: Part[] | null,
  { to = LAST_NUMBER, rest = 0, limit }: Partial<Place> & { limit: number },
): Promise<string[]> {
  return idsOf(
    await sql<Id>`
      select ${ID} from (
        select number from (${newestOf(parts, to, rest + limit)}) as newest
        order by number desc offset ${rest} limit ${limit}
      ) as found order by number desc`.execute(db),
  )
}

/** The same from a place on, however many parts: those that are left there, and what comes after them. */
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
      select ${ID} from (
        select number from (
          select number from here
          union all
          (select * from (${newestOf(parts, from - 1, limit)}) as older)
        ) as both_sides
        order by number desc limit ${limit}
      ) as found order by number desc`.execute(db),
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
      select ${ID} from (
        select price_minor, number from (${sql.join(parts, sql` union all `)}) as sorted
        ${inOrder} offset ${rest} limit ${limit}
      ) as found ${inOrder}`.execute(db),
  )
}
