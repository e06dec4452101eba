/** Where a page begins, found by counts: see db/migrations/0009_lists.sql. */
import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/** Under this the counts of all categories stand. */
const ALL = '00000000-0000-0000-0000-000000000000'

/** What of a list is counted, as the database numbers the cells of a slice. */
export type Counted = { categories: string[] | undefined; bands: number[]; stocks: boolean[] }

/** A page begins within these numbers, after so many products of the list. */
export type Place = { from: number; to: number; rest: number }

const CELLS = 12

/** A one for each cell that counts; null where all do. */
function wantedOf({ bands, stocks }: Counted): number[] | null {
  const cells = new Set(bands.flatMap((band) => stocks.map((stock) => band * 2 + +stock)))
  if (cells.size === CELLS) return null
  return Array.from({ length: CELLS }, (_, cell) => (cells.has(cell) ? 1 : 0))
}

/** Where the product stands that comes after `skipped` newer ones; undefined where there is none. */
export async function selectPlace(
  db: Database,
  counted: Counted,
  skipped: number,
): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    select smallest * 512 as "from", smallest * 512 + 511 as "to", rest::integer
    from place_in_lists(
      ${counted.categories ?? [ALL]}::uuid[], ${wantedOf(counted)}::integer[], ${skipped}
    )
    where smallest is not null`.execute(db)
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
