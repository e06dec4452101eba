/** A search as PostgreSQL's text search queries (tsquery), in their input syntax. */
import type { ParsedText, TypedWord, Word } from './words-store.ts'

/**
 * A word of a search; `prefix` also finds what the last word may become, and `alone` does where
 * enough of it was typed to search for it alone.
 */
export type Clause = { word: string; whole: string; prefix: string; alone: string }

export type SearchQuery = {
  /** The text as names are compared. */
  text: string
  /** The words one after the other. */
  phrase: string
  /** All the words. */
  whole: string
  /** All the words, the last one as a prefix, too. */
  prefix: string
  clauses: Clause[]
}

const MIN_PREFIX_LENGTH = 2
const MIN_PREFIX_LENGTH_ALONE = 3
const MIN_DIGITS_LENGTH = 3

/** A word in quotes, in which every character stands for itself. */
export const lexeme = (word: string) => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

export const allOf = (queries: string[]) => `(${queries.join(' & ')})`
export const anyOf = (queries: string[]) => `(${[...new Set(queries)].join(' | ')})`

const stemOf = ({ word, stem }: Word) => lexeme(stem ?? word)

const prefixOf = (word: Word) => anyOf([stemOf(word), `${lexeme(word.word)}:*`])

/** Whether the last word of a search is long enough to be a prefix. */
function mayBePrefix(word: string, position: number) {
  if (/\p{N}/u.test(word)) return word.length >= MIN_DIGITS_LENGTH
  return position > 0 || word.length >= MIN_PREFIX_LENGTH
}

/** "t shirt" may be one word; what follows an article may not: "the red" is not "there". */
const isArticle = ({ word, stem }: Word) => stem === null && (word.length > 1 || word === 'a')

type Corrections = ReadonlyMap<string, string>

function clauseOf(typed: TypedWord, position: number, isLast: boolean, corrected: Corrections) {
  const whole = corrected.get(typed.word)
  if (whole) return { word: typed.word, whole, prefix: whole, alone: whole }
  const isPrefix = isLast && mayBePrefix(typed.word, position)
  const prefix = isPrefix ? prefixOf(typed) : stemOf(typed)
  const alone = typed.word.length < MIN_PREFIX_LENGTH_ALONE ? stemOf(typed) : prefix
  return { word: typed.word, whole: stemOf(typed), prefix, alone }
}

/** The clauses of a search, and the same with each pair of neighbours written as one word. */
function readingsOf(words: TypedWord[], corrected: Corrections): Clause[][] {
  const hasStems = words.some(({ stem }) => stem !== null)
  const clauses = words.map((word, at) => clauseOf(word, at, at === words.length - 1, corrected))
  /** Stop words count only among themselves: a record may be of The Who. */
  const isSearched = (_: unknown, at: number) => !hasStems || words[at]?.stem !== null
  const joined = words.flatMap((word, at) => {
    if (!word.joined || isArticle(word)) return []
    const isLast = at === words.length - 2
    const prefix = isLast ? prefixOf(word.joined) : stemOf(word.joined)
    const pair = { word: word.joined.word, whole: stemOf(word.joined), prefix, alone: prefix }
    const before = clauses.filter((_, other) => other < at && isSearched(_, other))
    const after = clauses.filter((_, other) => other > at + 1 && isSearched(_, other))
    return [[...before, pair, ...after]]
  })
  return [clauses.filter(isSearched), ...joined]
}

/**
 * The query of a search; null where there is no word. `corrected` has what to look for in the place
 * of misspelt words.
 */
export function buildQuery(
  { text, phrase, words }: ParsedText,
  corrected: Corrections = new Map(),
): SearchQuery | null {
  const readings = readingsOf(words, corrected)
  const [clauses = []] = readings
  if (clauses.length === 0) return null
  const query = (how: 'whole' | 'prefix') =>
    anyOf(readings.map((reading) => allOf(reading.map((clause) => clause[how]))))
  return { text, phrase, whole: query('whole'), prefix: query('prefix'), clauses }
}
