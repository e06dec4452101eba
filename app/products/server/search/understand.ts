import type { Database } from '#db/schema.ts'
import type { Way, Wish } from './query.ts'
import { closest, remainsOf } from './spelling.ts'
import {
  type Known,
  type Looked,
  selectAlike,
  selectGlance,
  selectNamed,
} from './vocabulary-store.ts'

/** Words that a misspelt one may stand for at once. */
const MOST_MEANT = 5
const MOST_MISSPELT = 3
const SHORTEST_MISSPELT = 2
/** So few letters begin words of everything. */
const VAGUE = 2
/** Two typos are understood in words of so many letters. */
const LONG = 6

/** A word that the shop lacks, and those it may stand for, best first. */
export type Misspelt = { typed: string; meant: string[] }

export type Understood = {
  /** As names are compared. */
  text: string
  /** The words that were typed. */
  typed: string[]
  wishes: Wish[]
  misspelt: Misspelt[]
  products: number
  last: number
  /** The forms of the typed words, in their order: a name that has them so ranks first. */
  phrase: string[][]
}

const mayBeMisspelt = ({ word }: Looked) => word.length >= SHORTEST_MISSPELT && !/\p{N}/u.test(word)

/** Where a word can be divided in two. */
function parts(word: string): [string, string][] {
  const letters = [...word]
  return letters
    .slice(3)
    .map((_, at) => [letters.slice(0, at + 2).join(''), letters.slice(at + 2).join('')])
}

/** Two words of names that were written as one; the ones that stand in most names. */
async function divide(db: Database, word: string): Promise<[Known, Known] | null> {
  const known = await selectNamed(db, parts(word).flat())
  const byWord = new Map(known.map((one) => [one.word, one]))
  const pairs = parts(word).flatMap(([left, right]): [Known, Known][] => {
    const [first, second] = [byWord.get(left), byWord.get(right)]
    return first && second ? [[first, second]] : []
  })
  const worth = ([a, b]: [Known, Known]) => Math.min(a.in_names, b.in_names)
  return pairs.toSorted((a, b) => worth(b) - worth(a))[0] ?? null
}

/** The words of the shop that are like a misspelt one. */
async function meantBy(db: Database, word: string): Promise<Known[]> {
  const near = closest(word, await selectAlike(db, remainsOf(word, 1)), 1)
  if (near.length > 0 || word.length < LONG) return near.slice(0, MOST_MEANT)
  return closest(word, await selectAlike(db, remainsOf(word, 2)), 2).slice(0, MOST_MEANT)
}

type Reading = { wish: Wish; misspelt?: Misspelt; phrase: string[]; isStop?: boolean }

const namesOf = (forms: Known[]) => forms.map(({ word }) => word)

async function readUnknown(db: Database, looked: Looked): Promise<Reading> {
  const { word } = looked
  const meant = await meantBy(db, word)
  const divided = meant.length > 0 ? null : await divide(db, word)
  if (divided) {
    const ways: Way[] = [divided.map((part) => [part])]
    const misspelt = { typed: word, meant: [divided.map((part) => part.word).join(' ')] }
    return { wish: { whole: ways, begun: ways }, misspelt, phrase: [] }
  }
  if (meant.length === 0) return { wish: { whole: [], begun: [] }, phrase: [] }
  const ways: Way[] = [[meant]]
  const misspelt = { typed: word, meant: namesOf(meant) }
  return { wish: { whole: ways, begun: ways }, misspelt, phrase: namesOf(meant) }
}

/** Each word once, lest it counts twice. */
const together = (some: Known[], others: Known[]) => [
  ...new Map([...some, ...others].map((known) => [known.word, known])).values(),
]

function readKnown({ word, is_stop: isStop, whole, begun }: Looked): Reading {
  const ways: Way[] = whole.length > 0 ? [[whole]] : []
  const wish = {
    whole: ways,
    begun: begun.length > 0 ? [[together(whole, begun)]] : ways,
    isVague: ways.length === 0 && word.length <= VAGUE,
  }
  return { wish, phrase: [word, ...namesOf(whole)], isStop }
}

/** "t shirt" may be one word; what is written before any word may not: "the red" is not "there". */
const isArticle = ({ word, is_stop: isStop }: Looked) => isStop && (word.length > 1 || word === 'a')

const isPair = (first: Looked, second: Looked | undefined): second is Looked =>
  second !== undefined && !isArticle(first) && first.pair.length + first.pairBegun.length > 0

/** Two words that the shop has as one, or as both. */
function readPair(first: Looked, second: Looked): Reading {
  const asOne = (forms: Known[]): Way[] => (forms.length > 0 ? [[forms]] : [])
  const apart = (how: 'whole' | 'begun'): Way[] => {
    const last = how === 'begun' ? together(second.whole, second.begun) : second.whole
    return first.whole.length > 0 && last.length > 0 ? [[first.whole, last]] : []
  }
  const wish = {
    whole: [...asOne(first.pair), ...apart('whole')],
    begun: [...asOne(together(first.pair, first.pairBegun)), ...apart('begun')],
  }
  return { wish, phrase: [] }
}

const isKnown = ({ is_stop, whole, begun }: Looked) =>
  is_stop || whole.length > 0 || begun.length > 0

/** Words that say nothing count only among themselves: there are shops with a record of The Who. */
function wishesOf(readings: Reading[]): Wish[] {
  const telling = readings.filter(({ isStop }) => !isStop)
  return (telling.length > 0 ? telling : readings).map(({ wish }) => wish)
}

/** What a customer means by a keyword: what to look for, and which words were read as others. */
export async function understand(db: Database, keyword: string): Promise<Understood> {
  const glance = await selectGlance(db, keyword)
  const { words } = glance
  const readings: Reading[] = []
  let misspelt = 0
  for (let at = 0; at < words.length; at += 1) {
    const [looked, next] = [words[at], words[at + 1]]
    if (!looked) continue
    if (isPair(looked, next)) {
      readings.push(readPair(looked, next))
      at += 1
    } else if (isKnown(looked) || !mayBeMisspelt(looked) || misspelt === MOST_MISSPELT) {
      readings.push(readKnown(looked))
    } else {
      misspelt += 1
      readings.push(await readUnknown(db, looked))
    }
  }
  const { text, products, last } = glance
  return {
    ...{ text, products, last },
    typed: words.map(({ word }) => word),
    wishes: wishesOf(readings),
    misspelt: readings.flatMap((reading) => reading.misspelt ?? []),
    phrase: readings.map(({ phrase }) => phrase),
  }
}
