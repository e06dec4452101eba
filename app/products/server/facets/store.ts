/** Facets: the options by which lists are narrowed, and their counts. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/** The keys of facets, by the group that they are in: any of a group, and all groups by one variant. */
export type FacetGroups = string[][]

const hasAny = (keys: string[]) => sql<boolean>`variant_facets.keys && ${keys}::text[]`

/** Whether a product of this id has one variant that is in stock and in all groups. */
export const isInGroups = (groups: FacetGroups) => sql<boolean>`id in (
  select variant_facets.product_id from variant_facets
  where in_stock and ${sql.join(groups.map(hasAny), sql` and `)})`

export type CountedFacet = {
  key: string
  name: string
  value: string
  swatch: string | null
  count: number
}

/**
 * The facets of products as a JSON array, each counted with the chosen facets of the other groups: a variant that
 * misses one group counts only for the facets of that group. `products` selects ids, which get numbers: these are
 * compared faster.
 */
export function countsOf(products: RawBuilder<unknown>, groups: FacetGroups) {
  const misses = groups.map((keys) => sql`(not (${hasAny(keys)}))::integer`)
  const missed = groups.map(
    (keys) => sql`when not (${hasAny(keys)}) then ${beginningOf(keys)}::text`,
  )
  return sql<CountedFacet[]>`(
    select coalesce(json_agg(counted order by name, position, number, value), '[]') from (
      select facets.*, found.count from (
        select key, count(*)::integer as count from (
          select distinct number, key
          from (
            select id, (row_number() over ())::integer as number from (${products}) as listed (id)
          ) as numbered (id, number)
          join variant_facets on variant_facets.product_id = numbered.id and variant_facets.in_stock
          cross join lateral (
            select case ${sql.join([...missed, sql`when false then ''`], sql` `)} end as missed
            where ${sql.join([sql`0`, ...misses], sql` + `)} <= 1 offset 0
          ) as chosen
          cross join unnest(keys) as key
          where missed is null or starts_with(key, missed)
        ) as kept group by key
      ) as found join facets using (key)
    ) as counted)`
}

/** How the keys of a group begin, such as `colour:`. */
const beginningOf = ([key = '']: string[]) => key.slice(0, key.indexOf(':') + 1)

/** How many products one statement refreshes. */
const PART = 1000

/** Writes the facets of some products whose attributes were changed with those of many others. Returns how many. */
export async function refreshStale(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with taken as (
      delete from stale_facets where product_id in (
        select product_id from stale_facets limit ${sql.lit(PART)} for update skip locked)
      returning product_id
    ), taken_ids as (select array_agg(product_id) as ids, count(*)::integer as count from taken)
    select count, refresh_facets(ids) from taken_ids where count > 0`.execute(db)
  return rows[0]?.count ?? 0
}

/** The chosen facets that some product has had, in canonical order. */
export async function selectFacets(db: Database, keys: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('facets')
    .where('key', 'in', keys)
    .select('key')
    .orderBy('key')
    .execute()
  return rows.map(({ key }) => key)
}
