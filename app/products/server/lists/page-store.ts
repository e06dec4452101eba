/** The ids of a page, once it is known where it begins. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import type { Block, Counted, Place } from './place-store.ts'

/** A list that an index has, newest first: of a category, a price band, what is in stock or sold out. */
export type Part = { category?: string | null; band?: number; stock?: boolean }

type Id = { id: string }

const idsOf = ({ rows }: { rows: Id[] }) => rows.map(({ id }) => id)

const CONDITIONS: Record<keyof Part, RawBuilder<unknown>> = {
  category: sql`category_id = part.category`,
  band: sql`price_band = part.band`,
  stock: sql`in_stock = part.stock`,
}

/** The newest of each part below a number; all parts name the same. */
function newestOf(parts: Part[], below: RawBuilder<unknown>, limit: RawBuilder<unknown>) {
  const named = (['category', 'band', 'stock'] as const).filter((name) => parts[0]?.[name] != null)
  const newest = (conditions: RawBuilder<unknown>[]) => sql`
    select id, number from products
    where ${sql.join([...conditions, sql`number < ${below}`], sql` and `)}
    order by number desc limit ${limit}`
  if (named.length === 0) return newest([])
  return sql`
    select found.id, found.number
    from json_to_recordset(${JSON.stringify(parts)}::json)
      as part (category uuid, band smallint, stock boolean)
    cross join lateral (${newest(named.map((name) => CONDITIONS[name]))}) as found`
}

const among = ({ categories, bands, stocks }: Counted) => sql`
  ${categories ? sql`and category_id = any(${categories}::uuid[])` : sql``}
  ${bands.length < 6 ? sql`and price_band = any(${bands}::smallint[])` : sql``}
  ${stocks.length < 2 ? sql`and in_stock = ${stocks[0]}` : sql``}`

/** The newest products of the parts. */
export async function selectNewest(db: Database, parts: Part[], limit: number): Promise<string[]> {
  const above = sql`${2 ** 31 - 1}`
  return idsOf(
    await sql<Id>`
      select id from (${newestOf(parts, above, sql`${limit}`)}) as found
      order by number desc limit ${limit}`.execute(db),
  )
}

/** The products from a place on: those that are left there, and what comes after them. */
export async function selectNewestFrom(
  db: Database,
  parts: Part[],
  counted: Counted,
  { from, to, rest, limit }: Place & { limit: number },
): Promise<string[]> {
  const missing = sql`(select ${limit}::integer - count(*) from here)`
  return idsOf(
    await sql<Id>`
      with here as materialized (
        select id, number from products where number between ${from} and ${to} ${among(counted)}
        order by number desc offset ${rest} limit ${limit}
      )
      select id from (
        select id, number from here
        union all
        (select * from (${newestOf(parts, sql`${from}`, missing)}) as older)
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
      select id, price_minor, number from products
      where category_id = ${category} and in_stock = ${sql.lit(stock)}
        ${boundsOf(stretch)} ${startOf(stretch)}
      ${inOrder} limit ${rest + limit}
    )`,
  )
  return idsOf(
    await sql<Id>`
      select id from (${sql.join(parts, sql` union all `)}) as found
      ${inOrder} offset ${rest} limit ${limit}`.execute(db),
  )
}
