import { bandKey, priceBandsFrom, wordsIn } from '#app/products/model.ts'
import { sorterOf } from '#app/settings/server/sorter.ts'
import type { Database } from '#db/schema.ts'
import type { ListFilter } from '../list-filter.ts'
import { type ListedRow, SEARCHED_TEXTS, selectProducts } from '../store.ts'
import { type Matches, type SearchOptions, selectMatches } from './candidates-store.ts'
import {
  type CorrectedQuery,
  type Correction,
  correctQuery,
  type SearchContext,
} from './correct.ts'
import { buildQuery } from './query.ts'
import { spellingOf } from './shown-words.ts'
import { type ParsedText, parseText, selectCategories } from './words-store.ts'

/** With fewer results than this, products with only some of the words are added. */
const ENOUGH = 4

/** The products that contain all words and, if they are few, those that contain any of them. */
export async function findMatches(
  db: Database,
  { query, match }: CorrectedQuery,
  wanted: SearchOptions,
  known?: Matches,
): Promise<Matches> {
  const found = known ?? (await selectMatches(db, query, { match, ...wanted }))
  const isFew = match === 'all' && !found.isCode && found.total < ENOUGH && query.clauses.length > 1
  return isFew ? selectMatches(db, query, { match: 'any', ...wanted }) : found
}

/** Searches for the text; without results, for its corrections. */
async function find(context: SearchContext, parsed: ParsedText, wanted: SearchOptions) {
  const query = buildQuery(parsed)
  if (!query) return null
  const { db } = context
  const found = await selectMatches(db, query, { match: 'all', ...wanted })
  const typed: CorrectedQuery = { query, match: 'all', corrections: [] }
  const meaning = found.total > 0 ? typed : await correctQuery(context, parsed, typed)
  const known = meaning === typed ? found : undefined
  return { meaning, found: await findMatches(db, meaning, wanted, known) }
}

/** A page of results, best first, and their total. */
export async function search(
  context: SearchContext,
  keyword: string,
  wanted: SearchOptions,
): Promise<{ rows: ListedRow[]; total: number }> {
  const result = await find(context, await parseText(context.db, keyword), wanted)
  if (!result) return { rows: [], total: 0 }
  const { ids, total } = result.found
  return { rows: await selectProducts(context.db, ids), total }
}

/** Facet counts by category and price band, each with all other filters. */
async function facetsOf(
  db: Database,
  meaning: CorrectedQuery,
  wanted: SearchOptions,
  found: Matches,
) {
  const { categories: chosen, prices, facets } = wanted.filter
  const without = (filter: ListFilter) =>
    findMatches(db, meaning, { ...wanted, filter: { ...wanted.filter, ...filter } })
  const [anyCategory, anyBand, anyOption] = await Promise.all([
    chosen ? without({ categories: undefined }) : found,
    prices ? without({ prices: undefined }) : found,
    facets ? without({ facets: undefined }) : found,
  ])
  const counts = new Map(anyCategory.categories.map(({ id, count }) => [id, count]))
  const [sort, named] = await Promise.all([
    sorterOf(db),
    selectCategories(db, [...new Set([...counts.keys(), ...(chosen ?? [])])]),
  ])
  const keys = priceBandsFrom(wanted.bands.lows).map(bandKey)
  return {
    categories: sort(named).map((category) => ({
      ...category,
      count: counts.get(category._id) ?? 0,
    })),
    options: sort(anyOption.options),
    prices: anyBand.bands.map(({ band, count }) => ({ price: keys[band] ?? '', count })),
    areCut: anyCategory.isTruncated || anyBand.isTruncated || anyOption.isTruncated,
  }
}

/** The correction of each misspelled word, as the best result shows it. */
function correctionsOf(corrections: Correction[], best: ListedRow | undefined) {
  const texts = SEARCHED_TEXTS.map((name) => best?.[name] ?? '')
  const text = wordsIn(texts.join(' ')).join(' ')
  const spelled = spellingOf(texts)
  return corrections.flatMap(({ typed, meant }) => {
    const word = meant.find((one) => text.includes(one)) ?? meant[0]
    return word && best ? [{ typed, meant: spelled(word) }] : []
  })
}

/** The keyword with its corrections; null when there are none. */
function correctedText({ words }: ParsedText, corrections: { typed: string; meant: string }[]) {
  if (corrections.length === 0) return null
  const meant = new Map(corrections.map((correction) => [correction.typed, correction.meant]))
  return words.map(({ word }) => meant.get(word) ?? word).join(' ')
}

const NOTHING = {
  rows: [],
  total: 0,
  isCut: false,
  facets: { categories: [], prices: [], options: [], areCut: false },
  corrections: [],
  corrected: null,
}

/** The results, facets and corrections of the search page. */
export async function searchShop(context: SearchContext, keyword: string, wanted: SearchOptions) {
  const { db } = context
  const parsed = await parseText(db, keyword)
  const result = await find(context, parsed, wanted)
  if (!result) return NOTHING
  const { found, meaning } = result
  const [rows, facets] = await Promise.all([
    selectProducts(db, found.ids),
    facetsOf(db, meaning, wanted, found),
  ])
  const best = wanted.slice.offset === 0 ? rows[0] : undefined
  const corrections = correctionsOf(meaning.corrections, best)
  return {
    rows,
    total: found.total,
    isCut: found.isTruncated,
    facets,
    corrections,
    corrected: correctedText(parsed, corrections),
  }
}
