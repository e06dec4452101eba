/** Ranks the best candidates of a search, and counts them. */

import { type RawBuilder, sql } from 'kysely'
import type { SearchOrder } from '#app/products/model.ts'
import type { PriceBands } from '#app/settings/server/service.ts'
import { MAX_RESULTS } from '#app/shared/contract/fields.ts'
import type { Slice } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { productsWithCode } from '../codes.sql.ts'
import { type CountedFacet, countsOf, type FacetGroups } from '../facets/store.ts'
import type { ListFilter } from '../list-filter.ts'
import { conditionsOf, LIST_ORDER_COLUMNS, priceBand } from '../list-store.ts'
import { anyOf, type Clause, type SearchQuery } from './query.ts'

/**
 * How candidates match: all words in the name, all words anywhere or in the name of the category, any of the words, or
 * a name similar to the text by trigrams.
 */
export type Match = 'name' | 'all' | 'any' | 'similar'

export type Matches = {
  /** The ids of a page. */
  ids: string[]
  /** The number of matches, at most `MAX_RESULTS`. */
  total: number
  /** Whether there are more matches than the total. */
  isTruncated: boolean
  /** Whether the text is a SKU or a barcode: then nothing else is meant. */
  isCode: boolean
  categories: { id: string; count: number }[]
  bands: { band: number; count: number }[]
  options: CountedFacet[]
}

/** A page of a search with its filters. */
export type SearchOptions = {
  filter: ListFilter
  order: SearchOrder
  slice: Slice
  /** The lowest price of each price band of the settings. */
  bands: PriceBands
  /** Options are counted, with these chosen facets; absent: they are not. `filter` has those that results must have. */
  groups?: FacetGroups | undefined
}

type MatchOptions = SearchOptions & { match: Match }

const LIMIT = MAX_RESULTS + 1

type Column = 'name_search' | 'search'

const matches = (column: Column, query: string) =>
  sql<boolean>`${sql.ref(column)} @@ ${query}::tsquery`

/** The newest products that match. */
const newest = (column: Column, query: string, filter: ListFilter, limit = LIMIT) => sql`(
  select id from products where ${matches(column, query)} and ${conditionsOf(filter)}
  order by id desc limit ${sql.lit(limit)})`

/**
 * The beginning of the text that names are compared with by trigrams. The work grows with its length: from
 * about 100 characters on, PostgreSQL does not use the index, and compares the name of every product.
 */
const MAX_SIMILAR_LENGTH = 60
const similarText = ({ text }: SearchQuery) => [...text].slice(0, MAX_SIMILAR_LENGTH).join('')

/** The products with the most similar names, by the threshold of PostgreSQL (0.6). */
function similar(query: SearchQuery, filter: ListFilter) {
  const text = similarText(query)
  return sql`
    select id from products where ${text} <% name_folded and ${conditionsOf(filter)}
    order by ${text} <<-> name_folded, id desc limit ${sql.lit(LIMIT)}`
}

/** The newest products with options whose name and values match: 'red shirt'. */
const ofWords = (query: string, filter: ListFilter, limit = LIMIT) => sql`(
  select id from products join product_words on product_id = id
  where words @@ ${query}::tsquery and ${conditionsOf(filter)} order by id desc limit ${sql.lit(limit)})`

/** Categories whose products a search finds by their names. */
const MAX_NAMED = 10

/** The ids of the first categories whose names match. */
const categoriesNamed = (query: string) => sql`
  select id from categories where name_search @@ ${query}::tsquery order by id limit ${sql.lit(MAX_NAMED)}`

/** The newest products of the categories whose names match: 'toys'. */
const ofCategories = (query: string, filter: ListFilter) => sql`(
  select id from (${categoriesNamed(query)}) as named (category)
  cross join lateral (
    select id from products where category_id = category and ${conditionsOf(filter)}
    order by id desc limit ${sql.lit(LIMIT)}
  ) as found
  order by id desc limit ${sql.lit(LIMIT)})`

const isOfCategory = (query: string) =>
  sql<boolean>`category_id = any(array(${categoriesNamed(query)}))`

/** A category is named by whole words: 'cat' finds none of catalogues. */
const wholeOf = ({ whole, clauses }: SearchQuery, match: Match) =>
  match === 'any' ? anyOf(clauses.map((clause) => clause.whole)) : whole

/** The newest products of each word, so that frequent words do not hide rare ones. */
function candidatesOf(query: SearchQuery, { match, filter }: MatchOptions): RawBuilder<unknown> {
  if (match === 'similar') return similar(query, filter)
  const words = query.clauses.map(({ alone }) => alone)
  const searched = match === 'any' ? anyOf(words) : query.prefix
  const share = Math.ceil(LIMIT / words.length)
  const branches = [
    sql`(select id from products where name_folded = ${query.text} and ${conditionsOf(filter)} limit ${sql.lit(LIMIT)})`,
    newest('name_search', searched, filter),
    ofWords(searched, filter),
    sql`(select id from products where id in ${productsWithCode(query.text)} and ${conditionsOf(filter)})`,
    ...(match === 'name'
      ? []
      : [newest('search', searched, filter), ofCategories(wholeOf(query, match), filter)]),
    ...(match === 'any' ? words : []).map((word) => newest('search', word, filter, share)),
  ]
  return sql.join(branches, sql` union `)
}

/**
 * The rank of a candidate, 0 being best: names before descriptions and these before categories, whole words before
 * prefixes.
 */
function rankOf({ text, phrase, whole, prefix, clauses }: SearchQuery): RawBuilder<number> {
  const scores = clauses.map(
    (clause) => sql`case when ${matches('name_search', clause.alone)} then 20
      when ${matches('search', clause.alone)} then 2
      when ${isOfCategory(clause.whole)} then 1 else 0 end`,
  )
  return sql`case
    when name_folded = ${text} or id = any(array${productsWithCode(text)}) then 0
    when ${matches('name_search', phrase)} then 1
    when ${matches('name_search', whole)} then 2
    when ${matches('name_search', prefix)} then 3
    when exists (select from product_words
      where product_id = products.id and words @@ ${prefix}::tsquery) then 4
    when ${matches('search', whole)} then 5
    when ${matches('search', prefix)} then 6
    when ${isOfCategory(whole)} then 7
    else 1000 - (${sql.join(scores, sql` + `)}) end`
}

const orderOf = (order: SearchOrder) =>
  order === 'relevance' ? sql`rank, id desc` : LIST_ORDER_COLUMNS[order]

const countedBy = (key: RawBuilder<unknown>, name: string) => sql`(
  select coalesce(json_agg(counted), '[]') from (
    select ${key} as ${sql.ref(name)}, count(*)::integer as count from ranked group by 1 order by 1
  ) as counted)`

/** A page of the best candidates, with their counts by category and price band. */
export async function selectMatches(
  db: Database,
  query: SearchQuery,
  wanted: MatchOptions,
): Promise<Matches> {
  const { match, order, slice, bands, groups } = wanted
  const rank = match === 'similar' ? sql`${similarText(query)} <<-> name_folded` : rankOf(query)
  const { rows } = await sql<Matches>`
    with candidates as materialized (${candidatesOf(query, wanted)}),
    ranked as materialized (
      select id, category_id, list_price_minor, ${rank} as rank from products
      where id in (select id from candidates)
      order by rank, id desc limit ${sql.lit(MAX_RESULTS)}
    )
    select (select count(*)::integer from ranked) as total,
      (select count(*) > ${sql.lit(MAX_RESULTS)} from candidates) as "isTruncated",
      exists (select from ranked where id = any(array${productsWithCode(query.text)})) as "isCode",
      array(
        select id::text as product_id from ranked
        order by ${orderOf(order)} limit ${slice.limit} offset ${slice.offset}
      ) as ids,
      ${countedBy(sql`category_id`, 'id')} as categories,
      ${countedBy(priceBand(bands), 'band')} as bands,
      ${groups ? countsOf(sql`select id from ranked`, groups) : sql`'[]'::json`} as options`.execute(
    db,
  )
  const [found] = rows
  if (!found) throw new Error('The search answered nothing.')
  return found
}

/**
 * Whether any product, or the name of a category, matches, for each clause. It counts the newest matches: with
 * `exists` the planner would scan products, expecting to find one soon.
 */
export async function selectMatched(db: Database, clauses: Clause[]): Promise<boolean[]> {
  const counts = clauses.map(
    ({ prefix, whole }) => sql`(select count(*) > 0 from (
      ${newest('search', prefix, {})} union all ${ofWords(prefix, {}, 1)}
      union all (${categoriesNamed(whole)})) as found)`,
  )
  const { rows } = await sql<{ matched: boolean[] }>`
    select array[${sql.join(counts)}] as matched`.execute(db)
  return rows[0]?.matched ?? []
}
