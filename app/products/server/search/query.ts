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

/** The words one after the other. */
const phraseOf = (parts: string[]) => `(${parts.join(' <-> ')})`

/** Letters and digits in one word as the words that they may be: '20cm' is '20 cm' to others. */
function splitOf({ word }: Word, isBegun: boolean): string[] {
  const parts = word.match(/\p{N}+|[^\p{N}]+/gu) ?? []
  if (parts.length < 2) return []
  const last = parts.at(-1) ?? ''
  const isPrefix = isBegun && !/\p{N}/u.test(last)
  return [phraseOf([...parts.slice(0, -1).map(lexeme), lexeme(last) + (isPrefix ? ':*' : '')])]
}

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
  const whole = anyOf([...[word, ...before, ...after].map(stemOf), ...splitOf(word, false)])
  const joined = [
    ...before.flatMap((one) => (isLast ? prefixOf(one) : [stemOf(one)])),
    ...after.flatMap((one) => (isLastButOne ? prefixOf(one) : [stemOf(one)])),
  ]
  const isPrefix = isLast && mayBePrefix(word.word, at)
  const prefix = anyOf([
    ...(isPrefix ? prefixOf(word) : [stemOf(word)]),
    ...joined,
    ...splitOf(word, isLast),
  ])
  const isShort = word.word.length < MIN_PREFIX_LENGTH_ALONE
  const alone = isShort ? anyOf([stemOf(word), ...joined]) : prefix
  return [{ word: word.word, whole, prefix, alone }]
}

/** A part of two characters of a script without blanks, or the last one, as `parted()` of the database makes it. */
const PART =
  /^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]{1,2}$/u

const isPart = ({ word }: Word) => PART.test(word)

/** Whether a part goes on with the last character of the one before. */
function isNextPart(before: TypedWord | undefined, word: TypedWord): boolean {
  const [, shared] = before && isPart(before) ? [...before.word] : []
  return shared !== undefined && isPart(word) && word.word.startsWith(shared)
}

/** The number of words from this one on that are the parts of one. */
function partsFrom(words: TypedWord[], at: number): number {
  let end = at + 1
  for (let word = words[end]; word && isNextPart(words[end - 1], word); word = words[end]) end += 1
  return end - at
}

/** The clause of a word of a script without blanks: its parts one after the other. */
function clauseOfParts(parts: TypedWord[], corrected: Corrections): Clause {
  const pairs = parts.filter(({ word }) => [...word].length === 2)
  // as the dictionary of spellings has it
  const word = [pairs.map((pair) => [...pair.word][0]).join(''), [...(pairs.at(-1)?.word ?? '')][1]]
    .join('')
    .normalize('NFKD')
  const single = `${lexeme(parts[0]?.word ?? '')}:*`
  const found = pairs.length > 0 ? phraseOf(pairs.map((pair) => lexeme(pair.word))) : single
  const query = corrected.get(word) ?? found
  return { word: word || (parts[0]?.word ?? ''), whole: query, prefix: query, alone: query }
}

/** The clauses of all words; stop words are left out where there are others. */
function clausesOf(words: TypedWord[], corrected: Corrections): Clause[] {
  // a record may be of The Who
  const hasStems = words.some(({ stem }) => stem !== null)
  const clauses: Clause[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]
    if (!word || (hasStems && word.stem === null)) continue
    if (!isPart(word)) {
      clauses.push(...clauseOf(words, at, corrected))
      continue
    }
    const count = partsFrom(words, at)
    clauses.push(clauseOfParts(words.slice(at, at + count), corrected))
    at += count - 1
  }
  return clauses
}

/** The query of a search; null when it has no words. */
export function buildQuery(
  { text, phrase, words }: ParsedText,
  corrected: Corrections = new Map(),
): SearchQuery | null {
  const clauses = clausesOf(words, corrected)
  if (clauses.length === 0) return null
  return {
    text,
    phrase,
    whole: allOf(clauses.map(({ whole }) => whole)),
    prefix: allOf(clauses.map(({ prefix }) => prefix)),
    clauses,
  }
}
