/** Parses the text of a search with PostgreSQL, and reads texts and names. */

import { sql } from 'kysely'
import { SHOP_CURRENCY } from '#app/shared/server/settings/currency-store.ts'
import { inOrderOf } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'
import { publishedAfter, SEARCHED_TEXTS } from '../store.ts'

/** The rest of a very long text is ignored. */
const MAX_TEXT_LENGTH = 1000
const MAX_WORDS = 8
const MAX_WORD_LENGTH = 60

/** A word of a text; its stem is null for a stop word. */
export type Word = { word: string; stem: string | null }

/** A word of a search, alone and joined with the next one. */
export type TypedWord = Word & { joined: Word | null }

export type ParsedText = {
  /** The text in the normal form of names. */
  text: string
  /** A tsquery of the words as a phrase. Empty when there are only stop words. */
  phrase: string
  words: TypedWord[]
}

/**
 * Parses a text into words and stems with the parser and dictionaries of the products, so none of
 * its characters is ever query syntax.
 */
export async function parseText(db: Database, typed: string): Promise<ParsedText> {
  // PostgreSQL folds some characters into eighteen: they are counted as these
  const text = typed.slice(0, MAX_TEXT_LENGTH).normalize('NFKC').slice(0, MAX_TEXT_LENGTH).trim()
  const { rows } = await sql<ParsedText>`
    with words as (
      select left(lexeme, ${MAX_WORD_LENGTH}) as word, positions[1] as position
      from unnest(to_tsvector('simple', searched(${text})))
      order by positions[1] limit ${MAX_WORDS}
    ), pairs as (
      select word, position, word || lead(word) over (order by position) as joined from words
    )
    select folded(${text}) as text, phraseto_tsquery('english', searched(${text}))::text as phrase,
      (select coalesce(json_agg(json_build_object(
        'word', word, 'stem', stem(word),
        'joined', case when joined is not null
          then json_build_object('word', joined, 'stem', stem(joined)) end
      ) order by position), '[]') from pairs) as words`.execute(db)
  const [parsed] = rows
  if (!parsed) throw new Error('The search text was not parsed.')
  return parsed
}

/** The stems of words. */
export async function selectStems(db: Database, words: string[]): Promise<Word[]> {
  const { rows } = await sql<Word>`
    select word, stem(word) as stem from unnest(${words}::text[]) as word`.execute(db)
  return rows
}

/** The texts that a search finds of products after the one of this id, oldest first; the first ones after null. */
export const selectTextsAfter = (db: Database, id: string | null, limit: number) =>
  publishedAfter(db, id, limit)
    .select(['id', ...SEARCHED_TEXTS])
    .execute()

/** The names of the categories, which a search finds, too. */
export async function selectCategoryNames(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('categories').select('name').execute()
  return rows.map(({ name }) => name)
}

export type Named = { name: string; slug: string; price_minor: number; currency: string }

/** The products with these ids, in their order, with the columns of a suggestion. */
export async function selectNames(db: Database, ids: string[]): Promise<Named[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('products')
    .select(['id', 'name', 'slug', 'list_price_minor as price_minor', SHOP_CURRENCY.as('currency')])
    .where('id', 'in', ids)
    .execute()
  return inOrderOf(ids, rows)
}

/** Categories whose names contain a word beginning with each of the words. */
export async function selectCategoriesWith(db: Database, words: string[], limit: number) {
  if (words.length === 0) return []
  const begun = words.map((word) => sql<boolean>`folded(name) ~ ${`\\m${word}`}`)
  return db
    .selectFrom('categories')
    .select(['id as _id', 'name', 'slug'])
    .where(sql<boolean>`${sql.join(begun, sql` and `)}`)
    .orderBy('name')
    .limit(limit)
    .execute()
}

/** The categories of these ids, by name. */
export const selectCategories = async (db: Database, ids: string[]) =>
  ids.length === 0
    ? []
    : await db
        .selectFrom('categories')
        .select(['id as _id', 'name', 'slug'])
        .where('id', 'in', ids)
        .orderBy('name')
        .execute()
