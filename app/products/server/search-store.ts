import { sql } from 'kysely'
import { MOST_FOUND } from '#app/shared/contract/fields.ts'
import type { Database } from '#db/schema.ts'
import { type ListedRow, selectProducts } from './store.ts'

/** How alike a word and a part of a name must be to be looked at, and two words to be the same. */
const ALIKE = 0.4
/** Names looked at for one misspelt word, and words taken from them. */
const MOST_NAMES = 200
const MOST_CORRECTIONS = 3

/** English stems; where all words are stop words, the words themselves (names have them too). */
const parsed = (query: string) => sql`case
  when numnode(to_tsquery('english', ${query})) > 0 then to_tsquery('english', ${query})
  else to_tsquery('simple', ${query}) end`

/**
 * Those of the words that no product has in any form; stop words are nobody's loss. They are
 * counted through the index: for an `exists` the planner hopes to meet one early and reads the
 * whole table when there is none.
 */
export async function selectUnknownWords(db: Database, words: string[]): Promise<string[]> {
  if (words.length === 0) return []
  const unknown = words.map(
    (word) => sql`select ${word}::text as word
      where numnode(to_tsquery('english', ${word})) > 0
        and (select count(*) from products where search @@ to_tsquery('english', ${word})) = 0`,
  )
  const { rows } = await sql<{ word: string }>`${sql.join(unknown, sql` union all `)}`.execute(db)
  return rows.map(({ word }) => word)
}

/** The words of names that are most like a misspelt one, best first. */
export async function selectCorrections(db: Database, word: string): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    await sql`select set_config('pg_trgm.word_similarity_threshold', ${String(ALIKE)}, true)`.execute(
      tx,
    )
    const { rows } = await sql<{ word: string }>`
      with names as (
        select distinct name from (
          select name from products where name_folded %> ${word} limit ${MOST_NAMES}
        ) alike
      ), words as (
        select distinct regexp_split_to_table(trim(searched(name)), '\\s+') as word from names
      )
      select word from words where similarity(word, ${word}) >= ${ALIKE}
      order by similarity(word, ${word}) desc, word limit ${MOST_CORRECTIONS}`.execute(tx)
    return rows.map(({ word }) => word)
  })
}

/**
 * The ids of what the queries find, best first: those of an earlier query before those of a later
 * one, then names that have the text as it is, then by how often and where the words stand, the
 * newest first. Queries are in the language of to_tsquery.
 */
export async function selectMatches(
  db: Database,
  { queries, text }: { queries: string[]; text: string },
): Promise<string[]> {
  if (queries.length === 0) return []
  const found = queries.map(
    (query, place) =>
      sql`(select id, ${sql.lit(place)} as place from products where search @@ ${parsed(query)}
        order by id desc limit ${MOST_FOUND})`,
  )
  const widest = queries.at(-1) ?? ''
  const { rows } = await sql<{ id: string }>`
    with found as (${sql.join(found, sql` union all `)}),
    best as (select id, min(place) as place from found group by id)
    select id from best join products using (id)
    order by
      place,
      position(folded(${text}) in name_folded) > 0 desc,
      ts_rank(search, ${parsed(widest)}, 1) desc,
      id desc
    limit ${MOST_FOUND}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The products in the order of their ids here. */
export async function selectProductsInOrder(db: Database, ids: string[]): Promise<ListedRow[]> {
  const place = new Map(ids.map((id, index) => [id, index]))
  const rows = await selectProducts(db, ids)
  return rows.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0))
}
