/** Facets: the options and attributes by which lists are narrowed, and their counts. */
import { type RawBuilder, sql } from 'kysely'
import type { FacetCounts } from '#app/products/facet-contract.ts'
import type { Database } from '#db/schema.ts'

/** The keys of facets, by the group that they are in: any of a group, and all groups by one variant. */
export type FacetGroups = string[][]

const hasAny = (keys: string[]) => sql<boolean>`variant_facets.keys && ${keys}::text[]`

/** Whether a product of this id has one variant that is in stock and in all groups. */
export const isInGroups = (groups: FacetGroups) => sql<boolean>`id in (
  select variant_facets.product_id from variant_facets
  where in_stock and ${sql.join(groups.map(hasAny), sql` and `)})`

/** The most facets of a group that a list shows. */
const MAX_SHOWN = 100

export type CountedFacet = FacetCounts[number]

/**
 * The facets of products as a JSON array, the most frequent and the chosen ones of each group, each counted with the
 * chosen facets of the other groups: a variant that
 * misses one group counts only for the facets of that group. `products` selects ids, which get numbers: these are
 * compared faster.
 */
export function countsOf(products: RawBuilder<unknown>, groups: FacetGroups) {
  const chosen = groups.flat()
  const misses = groups.map((keys) => sql`(not (${hasAny(keys)}))::integer`)
  const missed = groups.map(
    (keys) => sql`when not (${hasAny(keys)}) then ${beginningOf(keys)}::text`,
  )
  return sql<CountedFacet[]>`(
    select coalesce(json_agg(counted order by name, position, number, value), '[]') from (
      select facets.*, found.count from (
        select key, sum(count)::integer as count, row_number() over (
          partition by split_part(key, ':', 1) order by sum(count) desc, key) as rank
        from (select key, count(*) as count from (
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
        union all select key, 0 from unnest(${chosen}::text[]) as key) as counted group by key
      ) as found join facets using (key)
      where rank <= ${sql.lit(MAX_SHOWN)} or key = any (${chosen}::text[])
    ) as counted)`
}

/** How the keys of a group begin, such as `colour:`. */
const beginningOf = ([key = '']: string[]) => key.slice(0, key.indexOf(':') + 1)

/** How many products one statement refreshes, and locks. */
const PART = 300

/** Writes the facets of some products of which an attribute was changed. Returns how many. */
export async function refreshStale(tx: Database): Promise<number> {
  const { rows } = await sql<{ ids: string[] | null }>`
    with taken as (
      delete from stale_facets where ctid = any (array(
        select ctid from stale_facets limit ${sql.lit(PART)} for update skip locked))
      returning product_id
    )
    select array_agg(distinct product_id) as ids from taken`.execute(tx)
  const ids = rows[0]?.ids ?? []
  // a statement of its own sees what was committed before the deletion
  if (ids.length > 0) await sql`select refresh_facets(${ids}::uuid[])`.execute(tx)
  return ids.length
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
