import type { Database } from '#db/schema.ts'
import { selectMatched } from './candidates-store.ts'
import type { Dictionary } from './dictionary.ts'
import { allOf, anyOf, buildQuery, lexeme, type SearchQuery } from './query.ts'
import { type ParsedText, selectStems } from './words-store.ts'

/** The dependencies of a search. */
export type SearchContext = {
  db: Database
  dictionary: () => Promise<Dictionary>
  /** Counts a search for similar names. Throws `rate_limited` above the limit. */
  countSimilar: () => Promise<void>
}

/** A misspelled word with its corrections, best first. */
export type Correction = { typed: string; meant: string[] }

/** The search to run: products with all the words, or with a name similar to the text. */
export type CorrectedQuery = {
  query: SearchQuery
  match: 'all' | 'similar'
  corrections: Correction[]
}

const MAX_CORRECTED = 3
const MIN_LENGTH = 2

const mayBeMisspelt = (word: string) => word.length >= MIN_LENGTH && !/\p{N}/u.test(word)

type Replacement = { typed: string; words: string[]; isSplit: boolean }

function replacementOf(dictionary: Dictionary, typed: string): Replacement {
  const words = dictionary.correct(typed)
  const parts = words.length > 0 ? null : dictionary.split(typed)
  return { typed, words: parts ?? words, isSplit: parts !== null }
}

/** The tsqueries that replace misspelled words. */
async function clausesOf(db: Database, replacements: Replacement[]): Promise<Map<string, string>> {
  const stems = await selectStems(
    db,
    replacements.flatMap(({ words }) => words),
  )
  const stemOf = new Map(stems.map(({ word, stem }) => [word, stem ?? word]))
  const lexemes = (words: string[]) => words.map((word) => lexeme(stemOf.get(word) ?? word))
  return new Map(
    replacements.map(({ typed, words, isSplit }) => [
      typed,
      isSplit ? allOf(lexemes(words)) : anyOf(lexemes(words)),
    ]),
  )
}

/**
 * Corrects a query without results: words that no product contains are replaced with words of the
 * dictionary. Where no word is known or can be replaced, similar names are searched. Throws
 * `rate_limited` above the limit of these.
 */
export async function correctQuery(
  { db, dictionary, countSimilar }: SearchContext,
  parsed: ParsedText,
  typed: CorrectedQuery,
): Promise<CorrectedQuery> {
  const { clauses } = typed.query
  const matched = await selectMatched(db, clauses)
  const unknown = clauses.map(({ word }) => word).filter((_, at) => !matched[at])
  const misspelt = unknown.filter(mayBeMisspelt).slice(0, MAX_CORRECTED)
  if (misspelt.length === 0) return typed
  const words = await dictionary()
  const replacements = misspelt
    .map((word) => replacementOf(words, word))
    .filter((replacement) => replacement.words.length > 0)
  if (replacements.length === 0) {
    if (unknown.length < clauses.length) return typed
    await countSimilar()
    return { ...typed, match: 'similar' }
  }
  const query = buildQuery(parsed, await clausesOf(db, replacements))
  const corrections = replacements.map(({ typed: word, words: meant, isSplit }) => ({
    typed: word,
    meant: isSplit ? [meant.join(' ')] : meant,
  }))
  return { query: query ?? typed.query, match: 'all', corrections }
}
