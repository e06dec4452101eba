/** Builds PostgreSQL's text search queries (tsquery) in their input syntax. */
import type { ParsedText, TypedWord, Word } from './words-store.ts'

/**
 * A word of a search as tsqueries: `prefix` also matches words that begin with it, and `alone` is
 * used when it is the only word and long enough.
 */
export type Clause = { word: string; whole: string; prefix: string; alone: string }

export type SearchQuery = {
  /** The text as names are compared. */
  text: string
  /** The words as a phrase. */
  phrase: string
  /** All the words. */
  whole: string
  /** All the words, the last one also as a prefix. */
  prefix: string
  clauses: Clause[]
}

/** The tsqueries that replace misspelled words. */
type Corrections = ReadonlyMap<string, string>

const MIN_PREFIX_LENGTH = 2
const MIN_PREFIX_LENGTH_ALONE = 3
const MIN_DIGITS_LENGTH = 3

/** A quoted lexeme, in which no character is syntax. */
export const lexeme = (word: string) => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

export const allOf = (queries: string[]) => `(${queries.join(' & ')})`
export const anyOf = (queries: string[]) => `(${[...new Set(queries)].join(' | ')})`

const stemOf = ({ word, stem }: Word) => lexeme(stem ?? word)

/** A word and all words that begin with it; the word alone when it is its own stem. */
const prefixOf = (word: Word) => {
  const prefix = `${lexeme(word.word)}:*`
  return word.stem === null || word.stem === word.word ? [prefix] : [stemOf(word), prefix]
}

/** Whether the last word of a search is long enough to be a prefix. */
function mayBePrefix(word: string, position: number) {
  if (/\p{N}/u.test(word)) return word.length >= MIN_DIGITS_LENGTH
  return position > 0 || word.length >= MIN_PREFIX_LENGTH
}

/**
 * "t shirt" may be one word, but an article and the next word are not joined: "the red" is not
 * "there".
 */
const isArticle = ({ word, stem }: Word) => stem === null && (word.length > 1 || word === 'a')

/** A word joined with the next one. */
const joinedOf = (word: TypedWord | undefined) =>
  word?.joined && !isArticle(word) ? [word.joined] : []

/** The clause of a word, alone or joined with a neighbour: "head phones". */
function clauseOf(words: TypedWord[], at: number, corrected: Corrections): Clause[] {
  const word = words[at]
  if (!word) return []
  const correction = corrected.get(word.word)
  if (correction)
    return [{ word: word.word, whole: correction, prefix: correction, alone: correction }]
  const before = joinedOf(words[at - 1])
  const after = joinedOf(word)
  const isLast = at === words.length - 1
  const isLastButOne = at === words.length - 2
  const whole = anyOf([word, ...before, ...after].map(stemOf))
  const joined = [
    ...before.flatMap((one) => (isLast ? prefixOf(one) : [stemOf(one)])),
    ...after.flatMap((one) => (isLastButOne ? prefixOf(one) : [stemOf(one)])),
  ]
  const isPrefix = isLast && mayBePrefix(word.word, at)
  const prefix = anyOf([...(isPrefix ? prefixOf(word) : [stemOf(word)]), ...joined])
  const isShort = word.word.length < MIN_PREFIX_LENGTH_ALONE
  const alone = isShort ? anyOf([stemOf(word), ...joined]) : prefix
  return [{ word: word.word, whole, prefix, alone }]
}

/** The query of a search; null when it has no words. */
export function buildQuery(
  { text, phrase, words }: ParsedText,
  corrected: Corrections = new Map(),
): SearchQuery | null {
  // stop words count only when there are no others: a record may be of The Who
  const hasStems = words.some(({ stem }) => stem !== null)
  const clauses = words.flatMap((word, at) =>
    hasStems && word.stem === null ? [] : clauseOf(words, at, corrected),
  )
  if (clauses.length === 0) return null
  return {
    text,
    phrase,
    whole: allOf(clauses.map(({ whole }) => whole)),
    prefix: allOf(clauses.map(({ prefix }) => prefix)),
    clauses,
  }
}
