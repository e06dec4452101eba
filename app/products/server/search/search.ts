import { PAGE_SIZE, PRICE_BANDS } from '#app/products/contract.ts'
import type { SearchOrder } from '#app/products/search-contract.ts'
import { offsetOf } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { type ListedRow, selectProducts } from '../store.ts'
import type { Candidate } from './candidates-store.ts'
import { type Choice, type Found, find } from './find.ts'
import { selectCategories } from './suggest-store.ts'
import { type Understood, understand } from './understand.ts'

export type Asked = Choice & { keyword: string; page?: number; order?: SearchOrder }

const newer = (a: Candidate, b: Candidate) => b.number - a.number

/** As lists have them, of which one by price is the other backwards. */
const ORDERS: Record<Exclude<SearchOrder, 'relevance'>, (a: Candidate, b: Candidate) => number> = {
  newest: newer,
  'price-up': (a, b) => a.price - b.price || -newer(a, b),
  'price-down': (a, b) => b.price - a.price || newer(a, b),
}

/** A page of what was found, which comes with the best first. */
async function pageOf(db: Database, { candidates }: Found, { page = 1, order }: Asked) {
  const sorted =
    order === undefined || order === 'relevance' ? candidates : candidates.toSorted(ORDERS[order])
  const offset = offsetOf(page, PAGE_SIZE)
  return selectProducts(
    db,
    sorted.slice(offset, offset + PAGE_SIZE).map(({ id }) => id),
  )
}

/** A page of what a person means by a keyword, best first, and how many products there are in all. */
export async function search(
  db: Database,
  asked: Asked,
): Promise<{ rows: ListedRow[]; total: number }> {
  const found = await find(db, await understand(db, asked.keyword), asked)
  return { rows: await pageOf(db, found, asked), total: found.candidates.length }
}

/** How many of the candidates each has; those that have none are left out. */
function countBy<Key>(candidates: Candidate[], keyOf: (candidate: Candidate) => Key) {
  const counts = new Map<Key, number>()
  for (const candidate of candidates) {
    const key = keyOf(candidate)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

/** The band that a price in minor units is in, as the database counts them. */
const bandOf = ({ price }: Candidate) => Math.min(Math.floor(price / 2000), PRICE_BANDS.length - 1)

type Results = { found: Found; anyCategory: Found; anyBand: Found }

/** A part of what was found; null where there is more of it elsewhere. */
const only = ({ candidates, isCut }: Found, isChosen: (one: Candidate) => boolean) =>
  isCut ? null : { candidates: candidates.filter(isChosen), isCut }

/**
 * What was found, and what would be without a choice of categories, or of bands. What was not cut
 * holds all that is found when more is chosen; only where it was cut, the search looks again.
 */
async function resultsOf(db: Database, meant: Understood, choice: Choice): Promise<Results> {
  const { categories = [], bands = [], inStock = false } = choice
  const everything = await find(db, meant, { inStock })
  const isOfCategory = ({ category }: Candidate) => categories.includes(category)
  const isInBand = (candidate: Candidate) => bands.includes(bandOf(candidate))
  const ofCategory = async (wide: Found, narrow: Choice) =>
    categories.length === 0 ? wide : (only(wide, isOfCategory) ?? find(db, meant, narrow))
  const inBand = async (wide: Found, narrow: Choice) =>
    bands.length === 0 ? wide : (only(wide, isInBand) ?? find(db, meant, narrow))
  const [anyCategory, anyBand] = await Promise.all([
    inBand(everything, { bands, inStock }),
    ofCategory(everything, { categories, inStock }),
  ])
  const found = anyBand.isCut
    ? await ofCategory(anyCategory, { categories, bands, inStock })
    : await inBand(anyBand, { categories, bands, inStock })
  return { found, anyCategory, anyBand }
}

/** Counts by category and price band, each under all that was chosen but itself. */
async function facetsOf(db: Database, { anyCategory, anyBand }: Results, chosen: string[] = []) {
  const counts = countBy(anyCategory.candidates, ({ category }) => category)
  const named = await selectCategories(db, [...new Set([...counts.keys(), ...chosen])])
  return {
    categories: named.map((category) => ({ ...category, count: counts.get(category.id) ?? 0 })),
    bands: countBy(anyBand.candidates, bandOf),
    areCut: anyCategory.isCut || anyBand.isCut,
  }
}

/** What each misspelt word was read as, as far as the best product tells. */
function corrections({ misspelt }: Understood, best: ListedRow | undefined) {
  const said = `${best?.name} ${best?.description}`.toLowerCase()
  return misspelt.flatMap(({ typed, meant }) => {
    const word = meant.find((one) => said.includes(one)) ?? meant[0]
    return word && best ? [{ typed, meant: word }] : []
  })
}

/** All that the search page shows, in one go. */
export async function searchShop(db: Database, asked: Asked) {
  const meant = await understand(db, asked.keyword)
  const results = await resultsOf(db, meant, asked)
  const { found } = results
  const [rows, facets] = await Promise.all([
    pageOf(db, found, asked),
    facetsOf(db, results, asked.categories),
  ])
  const [best] = asked.page === undefined || asked.page === 1 ? rows : []
  const read = corrections(meant, best)
  const byTyped = new Map(read.map(({ typed, meant: word }) => [typed, word]))
  return {
    ...{ rows, total: found.candidates.length, isCut: found.isCut, facets, corrections: read },
    corrected:
      read.length > 0 ? meant.typed.map((word) => byTyped.get(word) ?? word).join(' ') : null,
  }
}
