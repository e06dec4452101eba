import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/** What a found product is ranked, counted and sorted by. */
export type Candidate = {
  id: string
  category: string
  price: number
  /** How well it fits, 0 being best; those of one rank newest first. */
  rank: number
}

/** What a result is ranked by, each in the language of tsquery, null where nothing can have it. */
export type Ranking = {
  /** The text as names are compared. */
  text: string
  /** The words in their order, as a regular expression. */
  phrase: string
  /** From the best to the worst, after those. */
  queries: (string | null)[]
}

const BEST_RANKS = 3

/**
 * The text as it is; at the beginning; its words in their order; then query by query. What takes long
 * is asked only of a name that has the text.
 */
const rankOf = ({ text, phrase, queries }: Ranking) => {
  const places = queries.flatMap((query, at) =>
    query === null ? [] : [sql`when search @@ ${query}::tsquery then ${sql.lit(at + BEST_RANKS)}`],
  )
  return sql<number>`case
    when name_folded = ${text} then 0
    when starts_with(name_folded, ${text}) and name_folded ~ ${`^${phrase}`} then 1
    when ${text} like '% %' and position(${text} in name_folded) > 0 and name_folded ~ ${phrase} then 2
    ${sql.join(places, sql` `)}
    else ${sql.lit(queries.length + BEST_RANKS)} end`
}

export type Wanted = { query: string; ranking: Ranking; inStock: boolean }

/**
 * The products that a query finds, all of them: whoever asks bounds it. The order is nobody's.
 * They travel as one text, since thousands of small values take the longer way to be read.
 */
export async function selectCandidates(
  db: Database,
  { query, ranking, inStock }: Wanted,
): Promise<Candidate[]> {
  return readAll(
    db,
    sql`where search @@ ${query}::tsquery ${inStock ? sql`and quantity > 0` : sql``}`,
    ranking,
  )
}

const MOST_BY_NAME = 50

/** Products whose names are, or begin with, the very text. */
export async function selectByName(
  db: Database,
  { query, ranking, inStock }: Wanted,
): Promise<Candidate[]> {
  const { text } = ranking
  return readAll(
    db,
    sql`where id in (
        select id from products
        where name_folded ~>=~ ${text} and name_folded ~<~ (${text} || chr(1114111))
        order by name_folded using ~<~ limit ${sql.lit(MOST_BY_NAME)}
      ) and search @@ ${query}::tsquery ${inStock ? sql`and quantity > 0` : sql``}`,
    ranking,
  )
}

async function readAll(
  db: Database,
  where: ReturnType<typeof sql>,
  ranking: Ranking,
): Promise<Candidate[]> {
  const { rows } = await sql<{ found: [string, string, number, number][] }>`
    select coalesce(json_agg(json_build_array(id, category_id, price_minor, ${rankOf(ranking)})), '[]')
      as found from products ${where}`.execute(db)
  return (rows[0]?.found ?? []).map(([id, category, price, rank]) => ({
    ...{ id, category, price, rank },
  }))
}
