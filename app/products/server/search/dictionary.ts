/**
 * The spelling dictionary: all words of the products, in memory. A misspelled word is compared with
 * all words that have nearly the same letters, which takes a millisecond for some ten thousand
 * words.
 */
import { setImmediate as letOthersRun, setTimeout as wait } from 'node:timers/promises'
import { wordsIn } from '#app/products/model.ts'
import { pagesOf } from '#app/shared/server/csv/write.ts'
import { editDistance } from '#app/shared/server/edit-distance.ts'
import type { Database } from '#db/schema.ts'
import { selectCategoryNames, selectTextsAfter } from './words-store.ts'

/** A word with the number of products that contain it in their names, and anywhere. */
type Entry = { word: string; inNames: number; inTexts: number; letters: number }

export type Dictionary = {
  /** The corrections of a misspelled word, best first. */
  correct: (word: string) => string[]
  /** Two words that were written as one; null when there is no such pair. */
  split: (word: string) => [string, string] | null
}

/**
 * The dictionary is read again when a search needs it and it is older than this and than two
 * hundred times the duration of the last reading: a small shop has new words soon, and a large one
 * does not read all the time.
 */
const MAX_AGE_MS = 5000
const MAX_AGE_READINGS = 200
/** The longest wait of a search for the first reading. */
const MAX_WAIT_MS = 2000
const MAX_CORRECTIONS = 5
const MAX_LENGTH = 40
/** Shorter words have at most one typo. */
const MIN_LENGTH_OF_TWO_TYPOS = 6

/** A bit set of a word's letters; letters outside of Latin share bits. */
function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters
}

function bitsIn(number: number): number {
  let rest = number
  let count = 0
  for (; rest !== 0; count += 1) rest &= rest - 1
  return count
}

/** The entries within a distance: nearest first, then words of names, then frequent words. */
function nearest(entries: Entry[], word: string, typos: number): Entry[] {
  const letters = lettersOf(word)
  const isSameStart = (entry: Entry) => entry.word[0] === word[0]
  return entries
    .filter((entry) => Math.abs(entry.word.length - word.length) <= typos)
    .filter((entry) => bitsIn(entry.letters ^ letters) <= 2 * typos)
    .map((entry) => ({ entry, far: editDistance(word, entry.word) }))
    .filter(({ far }) => far <= typos)
    .sort(
      (a, b) =>
        a.far - b.far ||
        Number(isSameStart(b.entry)) - Number(isSameStart(a.entry)) ||
        Number(b.entry.inNames > 0) - Number(a.entry.inNames > 0) ||
        b.entry.inTexts - a.entry.inTexts,
    )
    .map(({ entry }) => entry)
    .slice(0, MAX_CORRECTIONS)
}

/** The two words of names that a text divides into; the most frequent pair. */
function splitInTwo(entries: Map<string, Entry>, word: string): [string, string] | null {
  const countOf = (part: string) => entries.get(part)?.inNames ?? 0
  let best: [string, string] | null = null
  let bestCount = 0
  for (let at = 2; at < word.length; at += 1) {
    const parts: [string, string] = [word.slice(0, at), word.slice(at)]
    const count = Math.min(...parts.map(countOf))
    if (count > bestCount) [best, bestCount] = [parts, count]
  }
  return best
}

function dictionaryOf(entries: Map<string, Entry>): Dictionary {
  const words = [...entries.values()].filter(({ word }) => !/\p{N}/u.test(word))
  return {
    correct(word) {
      const near = nearest(words, word, 1)
      const isLong = word.length >= MIN_LENGTH_OF_TWO_TYPOS
      const found = near.length > 0 || !isLong ? near : nearest(words, word, 2)
      // few mistype the first letter and another one: 'tassen' is not 'basses'
      const isLikely = (entry: Entry) => near.length > 0 || entry.word[0] === word[0]
      return found.filter(isLikely).map((entry) => entry.word)
    },
    split: (word) => splitInTwo(entries, word),
  }
}

function addWords(entries: Map<string, Entry>, name: string, texts: (string | null)[]) {
  const named = new Set(wordsIn(name))
  for (const word of new Set([...named, ...wordsIn(texts.join(' '))])) {
    if (word.length > MAX_LENGTH) continue
    const entry = entries.get(word) ?? { word, inNames: 0, inTexts: 0, letters: lettersOf(word) }
    entry.inTexts += 1
    if (named.has(word)) entry.inNames += 1
    entries.set(word, entry)
  }
}

/** Reads all products in batches, so that other queries are not delayed. */
async function readWords(db: Database): Promise<Dictionary> {
  const entries = new Map<string, Entry>()
  for (const name of await selectCategoryNames(db)) addWords(entries, '', [name])
  for await (const products of pagesOf((id, limit) => selectTextsAfter(db, id, limit))) {
    for (const { id: _, name, ...texts } of products) addWords(entries, name, Object.values(texts))
    await letOthersRun()
  }
  return dictionaryOf(entries)
}

const EMPTY = dictionaryOf(new Map())

/**
 * Creates the dictionary. It is read in the background, and is empty until the first reading ends;
 * it lags seconds in a small shop and minutes in a large one.
 */
export function openDictionary(db: Database): () => Promise<Dictionary> {
  let current: Dictionary | undefined
  let staleAt = 0
  let reading: Promise<void> | undefined
  async function read() {
    const began = performance.now()
    try {
      current = await readWords(db)
    } finally {
      const ended = performance.now()
      staleAt = ended + Math.max(MAX_AGE_MS, MAX_AGE_READINGS * (ended - began))
      reading = undefined
    }
  }
  return async () => {
    if (!reading && performance.now() >= staleAt) {
      reading = read()
      // a failure is an error of the search that waits for it, and of no other
      reading.catch(() => {})
    }
    if (!current && reading)
      await Promise.race([reading, wait(MAX_WAIT_MS, undefined, { ref: false })])
    return current ?? EMPTY
  }
}
