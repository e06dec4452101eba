import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import type { Query } from './query.ts'

/** What a found product is ranked, counted and sorted by. */
export type Candidate = {
  id: string
  category: string
  price: number
  /** How well it fits, 0 being best; those of one rank newest first. */
  rank: number
}

/** What a result is ranked by. */
export type Ranking = {
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
const rankOf = ({ text, phrase, queries }: Ranking) => {
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
export function selectByName(db: Database, wanted: Wanted): Promise<Candidate[]> {
  const { text } = wanted.ranking
  const named = sql`(
    select * from search_entries
    where name_folded ~>=~ ${text} and name_folded ~<~ (${text} || chr(1114111))
    order by name_folded using ~<~ limit ${sql.lit(MOST_BY_NAME)}
  ) as named`
  return readAll(db, sql`${named} where ${where(wanted)}`, wanted.ranking)
}

/** They travel as four texts, since thousands of small values take the longer way to be read. */
async function readAll(
  db: Database,
  source: ReturnType<typeof sql>,
  ranking: Ranking,
): Promise<Candidate[]> {
  const list = (values: ReturnType<typeof sql>) =>
    sql`coalesce(string_agg(${values}::text, ','), '')`
  const { rows } = await sql<Record<'ids' | 'categories' | 'prices' | 'ranks', string>>`
    select ${list(sql`product_id`)} as ids, ${list(sql`category_id`)} as categories,
      ${list(sql`price_minor`)} as prices, ${list(rankOf(ranking))} as ranks
    from ${source}`.execute(db)
  const [found] = rows
  if (!found?.ids) return []
  const { ids, categories, prices, ranks } = found
  const [ofCategories, costing, ranked] = [categories, prices, ranks].map((text) => text.split(','))
  return ids.split(',').map((id, at) => ({
    id,
    category: ofCategories?.[at] ?? '',
    price: Number(costing?.[at]),
    rank: Number(ranked?.[at]),
  }))
}
