import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import type { Query } from './query.ts'

/** What a found product is ranked, counted and sorted by. */
export type Candidate = {
  id: string
  /** Its place in the order in which products came. */
  number: number
  category: string
  price: number
  /** How well it fits, 0 being best; those of one rank newest first. */
  rank: number
}

/** What a result is ranked by, where it has all of the words. */
export type Tiers = {
  /** The text as names are compared. */
  text: string
  /** The words in their order, as a regular expression. */
  phrase: string
  /** From the best to the worst, after those; null where nothing can have it. */
  queries: (Query | null)[]
}

const BEST_RANKS = 3

/** A product that has of each clause at least one term. */
const has = ({ clauses }: Pick<Query, 'clauses'>) =>
  sql`(${sql.join(
    clauses.map((terms) => sql`terms && ${`{${terms.join()}}`}::integer[]`),
    sql` and `,
  )})`

/**
 * The text as it is; at the beginning; its words in their order; then query by query. What takes long
 * is asked only of a name that has the text.
 */
const tierOf = ({ text, phrase, queries }: Tiers) => {
  const places = queries.flatMap((query, at) =>
    query === null ? [] : [sql`when ${has(query)} then ${sql.lit(at + BEST_RANKS)}`],
  )
  return sql<number>`case
    when name_folded = ${text} then 0
    when starts_with(name_folded, ${text}) and name_folded ~ ${`^${phrase}`} then 1
    when ${text} like '% %' and position(${text} in name_folded) > 0 and name_folded ~ ${phrase} then 2
    ${sql.join(places, sql` `)}
    else ${sql.lit(queries.length + BEST_RANKS)} end`
}

/** A part of what is meant that a result may have; `named` is null where no name has it. */
export type Part = { anywhere: Query; named: Query | null }

/** A digit for each: 2 where the name has it, 1 where another text has. Most of them are had nowhere. */
const heldOf = (parts: Part[]) =>
  sql`concat(${sql.join(
    parts.map(({ anywhere, named }) => {
      const place = named ? sql`case when ${has(named)} then 2 else 1 end` : sql`1`
      return sql`case when ${has(anywhere)} then ${place} else 0 end`
    }),
  )})`

/** Two of the parts in the name, then one, then one anywhere; the first ones of them count most. */
function rankOf(held: string): number {
  const most = held.length
  const first = held.indexOf('2')
  if (first < 0) return most * (most + 1) + held.indexOf('1')
  const second = held.indexOf('2', first + 1)
  return second < 0 ? most * most + first : first * most + second
}

/** By tiers, or, where some of the words are enough, by parts, those that count most first. */
export type Ranking = { tiers: Tiers } | { parts: Part[] }

export type Wanted = {
  query: Query
  ranking: Ranking
  /** Only of these categories, where there are any. */
  categories: string[]
  inStock: boolean
}

/** The entries that are wanted. Of categories the term finds, and the column decides. */
const where = ({ query, categories, inStock }: Wanted) => {
  const ofCategory = sql`and category_id = any (${categories}::uuid[])
    and terms && array(select category_term(id) from unnest(${categories}::uuid[]) as id)`
  return sql`${has(query)} ${categories.length > 0 ? ofCategory : sql``}
    ${inStock ? sql`and in_stock` : sql``}`
}

/** The products that a query finds, all of them: whoever asks bounds it. The order is nobody's. */
export const selectCandidates = (db: Database, wanted: Wanted): Promise<Candidate[]> =>
  readAll(db, sql`search_entries where ${where(wanted)}`, wanted.ranking)

const MOST_BY_NAME = 50

/** Products whose names are, or begin with, the very text; the names are read first, being few. */
export function selectByName(
  db: Database,
  wanted: Wanted & { ranking: { tiers: Tiers } },
): Promise<Candidate[]> {
  const { text } = wanted.ranking.tiers
  const named = sql`(
    select * from search_entries
    where name_folded ~>=~ ${text} and name_folded ~<~ (${text} || chr(1114111))
    order by name_folded using ~<~ limit ${sql.lit(MOST_BY_NAME)}
  ) as named`
  return readAll(db, sql`${named} where ${where(wanted)}`, wanted.ranking)
}

/** They travel as one text for each column: thousands of small values take longer to be read. */
async function readAll(
  db: Database,
  source: ReturnType<typeof sql>,
  ranking: Ranking,
): Promise<Candidate[]> {
  const list = (values: ReturnType<typeof sql>) =>
    sql`coalesce(string_agg(${values}::text, ','), '')`
  const isTiered = 'tiers' in ranking
  const place = isTiered ? tierOf(ranking.tiers) : heldOf(ranking.parts)
  const { rows } = await sql<Record<'ids' | 'numbers' | 'categories' | 'prices' | 'ranks', string>>`
    select ${list(sql`product_id`)} as ids, ${list(sql`number`)} as numbers,
      ${list(sql`category_id`)} as categories, ${list(sql`price_minor`)} as prices,
      ${list(place)} as ranks
    from ${source}`.execute(db)
  const [found] = rows
  if (!found?.ids) return []
  const columns = [found.numbers, found.categories, found.prices, found.ranks]
  const [numbers, categories, prices, ranks] = columns.map((text) => text.split(','))
  return found.ids.split(',').map((id, at) => ({
    id,
    number: Number(numbers?.[at]),
    category: categories?.[at] ?? '',
    price: Number(prices?.[at]),
    rank: isTiered ? Number(ranks?.[at]) : rankOf(ranks?.[at] ?? ''),
  }))
}
