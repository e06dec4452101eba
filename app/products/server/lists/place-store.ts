/** Where a page begins, found by counts: see db/migrations/0009_lists.sql. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/** Under this the counts of all categories stand. */
const ALL = '00000000-0000-0000-0000-000000000000'

/** What of a list is counted, as the database numbers the cells of a slice. */
export type Counted = { categories?: string[]; bands: number[]; stocks: boolean[] }

/** A page begins within these numbers, after so many products of the list. */
export type Place = { from: number; to: number; rest: number }

const CELLS = 12

const membersOf = ({ bands, stocks }: Counted) =>
  bands.length * stocks.length === CELLS
    ? sql`products`
    : sql.join(
        bands.flatMap((band) =>
          stocks.map((stock) => sql`cells[${sql.lit(band * 2 + 1 + +stock)}]`),
        ),
        sql` + `,
      )

/** The slice of a level that has the product which comes after `skipped` newer ones. */
const sliceWith = (
  counted: Counted,
  {
    level,
    within,
    skipped,
  }: { level: number; within: RawBuilder<unknown>; skipped: RawBuilder<unknown> },
) => sql`
  select slice, ${skipped} - before as rest from (
    select slice, members, sum(members) over (order by slice desc) - members as before from (
      select slice, sum(${membersOf(counted)}) as members from product_slices
      where list = any(${counted.categories ?? [ALL]}::uuid[]) and level = ${sql.lit(level)} ${within}
      group by slice
    ) as slices
  ) as summed
  where before <= ${skipped} and ${skipped} < before + members`

const partsOf = (wider: string) => ({
  within: sql`and slice between (select slice * 32 from ${sql.table(wider)})
    and (select slice * 32 + 31 from ${sql.table(wider)})`,
  skipped: sql`(select rest from ${sql.table(wider)})`,
})

/** Where the product stands that comes after `skipped` newer ones; undefined where there is none. */
export async function selectPlace(
  db: Database,
  counted: Counted,
  skipped: number,
): Promise<Place | undefined> {
  const whole = { within: sql``, skipped: sql`${skipped}::bigint` }
  const { rows } = await sql<Place>`
    with wide as materialized (${sliceWith(counted, { level: 19, ...whole })}),
      middle as materialized (${sliceWith(counted, { level: 14, ...partsOf('wide') })}),
      small as (${sliceWith(counted, { level: 9, ...partsOf('middle') })})
    select slice * 512 as "from", slice * 512 + 511 as "to", rest::integer from small`.execute(db)
  return rows[0]
}

/** A block of a category by price: its first product, the first after it, and how many come before. */
export type Block = {
  price: number
  number: number
  nextPrice: number | null
  nextNumber: number | null
  before: number
}

/** The block with the product that comes after `skipped` cheaper ones, or dearer ones. */
export async function selectBlock(
  db: Database,
  { category, inStock, descending }: { category: string; inStock: boolean; descending: boolean },
  skipped: number,
): Promise<Block | undefined> {
  const members = sql.ref(inStock ? 'in_stock' : 'products')
  const direction = sql.raw(descending ? 'desc' : 'asc')
  const next = sql.raw(descending ? 'lag' : 'lead')
  const { rows } = await sql<Block>`
    select price, number, "nextPrice", "nextNumber", before::integer from (
      select from_price as price, from_number as number, ${members} as members,
        ${next}(from_price) over by_key as "nextPrice", ${next}(from_number) over by_key as "nextNumber",
        sum(${members}) over by_key - ${members} as before
      from product_blocks where category_id = ${category}
      window by_key as (order by from_price ${direction}, from_number ${direction})
    ) as summed
    where before <= ${skipped} and ${skipped} < before + members`.execute(db)
  return rows[0]
}
