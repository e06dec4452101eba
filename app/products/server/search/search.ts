import { PAGE_SIZE } from '#app/products/contract.ts'
import type { SearchOrder } from '#app/products/search-contract.ts'
import { offsetOf, type Slice } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import type { ListFilter } from '../list-store.ts'
import { rangeOfBand } from '../price-range.ts'
import { type ListedRow, selectProducts } from '../store.ts'
import { type Matches, selectMatches } from './candidates-store.ts'
import { type Correction, correctQuery, type Meaning, type SearchContext } from './correct.ts'
import { buildQuery } from './query.ts'
import { selectCategories } from './suggest-store.ts'
import { type ParsedText, parseText } from './words-store.ts'

/** What is searched, and what narrows it. */
export type SearchRequest = {
  keyword: string
  page: number
  order: SearchOrder
  /** Only of these; none means all. */
  categories: string[]
  /** A price band, by its index. */
  band: number | undefined
  inStock: boolean
}

/** Where all words find fewer, products with some of the words are found, too. */
const ENOUGH = 4

type Wanted = { filter: ListFilter; order: SearchOrder; slice: Slice }

/** The products that have all the words and, where they are few, those that have any of them. */
export async function findMatches(
  db: Database,
  { query, match }: Meaning,
  wanted: Wanted,
  known?: Matches,
): Promise<Matches> {
  const found = known ?? (await selectMatches(db, query, { match, ...wanted }))
  const isFew = match === 'all' && found.total < ENOUGH && query.clauses.length > 1
  return isFew ? selectMatches(db, query, { match: 'any', ...wanted }) : found
}

/** Searches for a text as it is; where nothing has its words, for what it may mean. */
async function find(context: SearchContext, parsed: ParsedText, wanted: Wanted) {
  const query = buildQuery(parsed)
  if (!query) return null
  const { db } = context
  const found = await selectMatches(db, query, { match: 'all', ...wanted })
  const typed: Meaning = { query, match: 'all', corrections: [] }
  const meaning = found.total > 0 ? typed : await correctQuery(context, parsed, typed)
  const known = meaning === typed ? found : undefined
  return { meaning, found: await findMatches(db, meaning, wanted, known) }
}

function wantedBy({ categories, band, inStock, page, order }: SearchRequest): Wanted {
  return {
    filter: {
      categories: categories.length > 0 ? categories : undefined,
      prices: rangeOfBand(band),
      inStock,
    },
    order,
    slice: { limit: PAGE_SIZE, offset: offsetOf(page, PAGE_SIZE) },
  }
}

/** A page of what a person means by a keyword, best first, and how many products there are in all. */
export async function search(
  context: SearchContext,
  request: SearchRequest,
): Promise<{ rows: ListedRow[]; total: number }> {
  const parsed = await parseText(context.db, request.keyword)
  const result = await find(context, parsed, wantedBy(request))
  if (!result) return { rows: [], total: 0 }
  const { ids, total } = result.found
  return { rows: await selectProducts(context.db, ids), total }
}

/** Counts by category and price band, each under all that was chosen but itself. */
async function facetsOf(db: Database, meaning: Meaning, wanted: Wanted, found: Matches) {
  const { categories: chosen, prices } = wanted.filter
  const without = (filter: ListFilter) =>
    findMatches(db, meaning, { ...wanted, filter: { ...wanted.filter, ...filter } })
  const [anyCategory, anyBand] = await Promise.all([
    chosen ? without({ categories: undefined }) : found,
    prices ? without({ prices: undefined }) : found,
  ])
  const counts = new Map(anyCategory.categories.map(({ id, count }) => [id, count]))
  const named = await selectCategories(db, [...new Set([...counts.keys(), ...(chosen ?? [])])])
  return {
    categories: named.map((category) => ({ ...category, count: counts.get(category.id) ?? 0 })),
    bands: anyBand.bands,
    areCut: anyCategory.isTruncated || anyBand.isTruncated,
  }
}

/** What each misspelt word was read as, as far as the best product tells. */
function correctionsOf(corrections: Correction[], best: ListedRow | undefined) {
  const text = `${best?.name} ${best?.description}`.toLowerCase()
  return corrections.flatMap(({ typed, meant }) => {
    const word = meant.find((one) => text.includes(one)) ?? meant[0]
    return word && best ? [{ typed, meant: word }] : []
  })
}

/** The keyword with its corrections; null where there are none. */
function correctedText({ words }: ParsedText, corrections: { typed: string; meant: string }[]) {
  if (corrections.length === 0) return null
  const meant = new Map(corrections.map((correction) => [correction.typed, correction.meant]))
  return words.map(({ word }) => meant.get(word) ?? word).join(' ')
}

const NOTHING = {
  rows: [],
  total: 0,
  isCut: false,
  facets: { categories: [], bands: [], areCut: false },
  corrections: [],
  corrected: null,
}

/** All that the search page shows, in one go. */
export async function searchShop(context: SearchContext, request: SearchRequest) {
  const { db } = context
  const wanted = wantedBy(request)
  const parsed = await parseText(db, request.keyword)
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
