import { MOST_FOUND } from '#app/shared/contract/fields.ts'
import { offsetOf } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { PAGE_SIZE } from '../contract.ts'
import {
  selectCorrections,
  selectMatches,
  selectProductsInOrder,
  selectUnknownWords,
} from './search-store.ts'
import type { ListedRow } from './store.ts'

/** What is read of a keyword; the rest of a very long one is not looked at. */
const LONGEST_TEXT = 1000
const MOST_WORDS = 8
const LONGEST_WORD = 60
/** Shorter beginnings would find half the shop. */
const SHORTEST_BEGINNING = 2
/** Shorter words have too few letters to tell what was meant. */
const SHORTEST_MISSPELT = 4
const MOST_MISSPELT = 3

/** A word that is looked for: any of these spellings will do. */
type Term = string[]

/**
 * The words of a keyword, folded as the database folds what it searches. They are letters and
 * digits only: no character of a keyword is ever syntax.
 */
export function wordsOf(keyword: string): string[] {
  const text = keyword
    .slice(0, LONGEST_TEXT)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return [...new Set(words)].slice(0, MOST_WORDS).map((word) => word.slice(0, LONGEST_WORD))
}

const either = (term: Term, suffix: string) =>
  `(${term.map((spelling) => `'${spelling}'${suffix}`).join(' | ')})`

/** Queries for every one of the words and for any of them, each best first: names before the rest. */
function queriesOf(terms: Term[]): { every: string[]; any: string[] } {
  const last = terms.length - 1
  const begins = (index: number) =>
    index === last && (terms[index]?.[0]?.length ?? 0) >= SHORTEST_BEGINNING
  const whole = terms.map((term) => either(term, ':A'))
  const inName = terms.map((term, index) => either(term, begins(index) ? ':*A' : ':A'))
  const anywhere = terms.map((term, index) => either(term, begins(index) ? ':*' : ''))
  return {
    every: [whole, inName, anywhere].map((words) => words.join(' & ')),
    any: terms.length > 1 ? [inName, anywhere].map((words) => words.join(' | ')) : [],
  }
}

const mayBeMisspelt = (word: string) => word.length >= SHORTEST_MISSPELT && !/\p{N}/u.test(word)

/** Words that no product has give way to the words of names that are most like them. */
async function correct(db: Database, words: string[]): Promise<Term[]> {
  const strange = await selectUnknownWords(db, words.filter(mayBeMisspelt))
  const unknown = new Set(strange.slice(0, MOST_MISSPELT))
  const terms: Term[] = []
  for (const word of words) {
    const corrections = unknown.has(word) ? await selectCorrections(db, word) : []
    terms.push([word, ...corrections])
  }
  return terms
}

/** The ids of what has every word, as typed or else as it was meant; then of what has any. */
async function find(db: Database, keyword: string): Promise<string[]> {
  const words = wordsOf(keyword)
  const text = keyword.slice(0, LONGEST_TEXT).trim()
  if (words.length === 0) return []
  const having = (queries: string[]) => selectMatches(db, { queries, text })
  const typed = queriesOf(words.map((word) => [word]))
  const exact = await having(typed.every)
  const { every, any } = exact.length > 0 ? typed : queriesOf(await correct(db, words))
  const best = exact.length > 0 ? exact : await having(every)
  if (best.length >= MOST_FOUND) return best
  return [...new Set([...best, ...(await having(any))])].slice(0, MOST_FOUND)
}

/** A page of what a person means by a keyword, best first, and how many products there are in all. */
export async function search(
  db: Database,
  { keyword, page = 1 }: { keyword: string; page?: number },
): Promise<{ rows: ListedRow[]; total: number }> {
  const ids = await find(db, keyword)
  const offset = offsetOf(page, PAGE_SIZE)
  const rows = await selectProductsInOrder(db, ids.slice(offset, offset + PAGE_SIZE))
  return { rows, total: ids.length }
}
