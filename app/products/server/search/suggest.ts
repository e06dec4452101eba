import { wordsIn } from '#app/products/model.ts'
import { sorterOf } from '#app/settings/server/sorter.ts'
import { toMajor } from '#app/shared/model/minor-units.ts'
import type { Database } from '#db/schema.ts'
import { selectMatches } from './candidates-store.ts'
import { type CorrectedQuery, correctQuery, type SearchContext } from './correct.ts'
import { buildQuery } from './query.ts'
import { findMatches } from './search.ts'
import { spellingOf } from './shown-words.ts'
import {
  type Named,
  type ParsedText,
  parseText,
  selectCategoriesWith,
  selectNames,
} from './words-store.ts'

const MAX_PRODUCTS = 5
const MAX_PHRASES = 4
const MAX_CATEGORIES = 2
/** The number of names that phrases are taken from. */
const MAX_NAMES = 40

const WANTED = {
  filter: {},
  order: 'relevance',
  slice: { limit: MAX_NAMES, offset: 0 },
  // suggestions have no counts by price
  bands: { lows: [0], currency: '' },
} as const

const isSignificant = (word: string | undefined) =>
  word !== undefined && word.length > 2 && !/\p{N}/u.test(word)

/** The completions of the last word in a name: to the end of the word, and to the next word. */
function endings(name: string, beginning: string): string[] {
  const words = wordsIn(name)
  const at = words.findIndex((word) => word.startsWith(beginning))
  const word = words[at]
  const next = words[at + 1]
  if (at < 0 || !isSignificant(word)) return []
  return [word ?? '', ...(isSignificant(next) ? [`${word} ${next}`] : [])]
}

/** Completions of the typed words, by the number of names that contain them, written as typed or as in the names. */
function phrasesOf(
  { text, typed }: { text: string; typed: string[] },
  { corrections }: CorrectedQuery,
  names: Named[],
): string[] {
  const meant = new Map(corrections.map((correction) => [correction.typed, correction.meant[0]]))
  const words = typed.map((word) => meant.get(word) ?? word)
  const before = words.slice(0, -1)
  const counts = new Map<string, number>()
  for (const { name } of names)
    for (const ending of endings(name, words.at(-1) ?? '')) {
      const repeats = ending.split(' ').some((word) => before.includes(word))
      const phrase = [...before, ending].join(' ')
      if (!repeats && phrase !== typed.join(' ')) counts.set(phrase, (counts.get(phrase) ?? 0) + 1)
    }
  const spelled = spellingOf([text, ...names.map(({ name }) => name)])
  return [...counts]
    .sort(([a, count], [b, otherCount]) => otherCount - count || a.length - b.length)
    .slice(0, MAX_PHRASES)
    .map(([phrase]) => spelled(phrase))
}

/**
 * The newest products whose names contain the words or, for misspelled words, their corrections.
 */
async function selectNamed(db: Database, { query }: CorrectedQuery): Promise<string[]> {
  return (await selectMatches(db, query, { match: 'name', ...WANTED })).ids
}

/** Products whose names match; if none do, the results of the search. */
async function findSuggested(context: SearchContext, parsed: ParsedText) {
  const query = buildQuery(parsed)
  if (!query) return null
  const typed: CorrectedQuery = { query, match: 'all', corrections: [] }
  const ids = await selectNamed(context.db, typed)
  if (ids.length > 0) return { meaning: typed, ids }
  const meaning = await correctQuery(context, parsed, typed)
  const named = meaning.corrections.length > 0 ? await selectNamed(context.db, meaning) : []
  if (named.length > 0) return { meaning, ids: named }
  return { meaning, ids: (await findMatches(context.db, meaning, WANTED)).ids }
}

/** Suggestions for a text being typed: phrases, products and categories, best first. */
export async function suggest(context: SearchContext, text: string) {
  const { db } = context
  const parsed = await parseText(db, text)
  const typed = parsed.words.map(({ word }) => word)
  const suggested = await findSuggested(context, parsed)
  const [sort, names, categories] = await Promise.all([
    sorterOf(db),
    selectNames(db, suggested?.ids ?? []),
    selectCategoriesWith(db, typed, MAX_CATEGORIES),
  ])
  const phrases = suggested ? phrasesOf({ text, typed }, suggested.meaning, names) : []
  const products = names.slice(0, MAX_PRODUCTS).map(({ name, slug, price_minor, currency }) => ({
    name,
    slug,
    price: toMajor(price_minor, currency),
  }))
  return { phrases, products, categories: sort(categories) }
}
