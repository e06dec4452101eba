import { MOST_FOUND } from '#app/shared/contract/fields.ts'
import type { Database } from '#db/schema.ts'
import { type Candidate, type Ranking, selectByName, selectCandidates } from './candidates-store.ts'
import { any, everyWish, type Query, type Where, type Wish, waysQuery } from './query.ts'
import type { Understood } from './understand.ts'

/** What narrows a search; nothing given means every product. */
export type Choice = { categories?: string[]; bands?: number[]; inStock?: boolean }

export type Found = {
  candidates: Candidate[]
  /** There are more; these are the best, and of equals the newest. */
  isCut: boolean
}

/** Products of a thin slice, and thin slices of a thick one: as `search_of` in the database has it. */
const SLICE = 1024
const THICK = 16
/** To ask for very many slices takes longer than to ask for somewhat more of the shop. */
const MOST_THIN = 24
/** A whole shop is asked for so many at once, before it is asked slice by slice. */
const AT_ONCE = 2 * MOST_FOUND
/** Where all words find fewer, any of them will do. */
const ENOUGH = 4
/** Slices that promise somewhat more than is needed mostly hold it. */
const MARGIN = 1.3

const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A name in which the words stand in this order, nothing between them, as a regular expression. */
const phraseOf = (words: string[][]) =>
  words.every((forms) => forms.length > 0)
    ? `\\m${words.map((forms) => `(${[...new Set(forms)].map(escaped).join('|')})`).join('\\W+')}\\M`
    : '$.'

const narrowed = (query: Query, { categories, bands }: Choice): Query => {
  const marks = [
    categories?.map((id) => `'@c${id}'`).join(' | '),
    bands?.map((band) => `'@b${band}'`).join(' | '),
  ].filter((mark) => mark)
  const share = query.share * (bands?.length ? bands.length / 6 : 1)
  return { text: [query.text, ...marks].map((part) => `(${part})`).join(' & '), share }
}

const marksOf = (kind: 's' | 't', from: number, last: number) =>
  Array.from({ length: last - from + 1 }, (_, at) => `'@${kind}${from + at}'`).join(' | ')

/** So many of the newest slices, or somewhat more. */
const newestSlices = (slices: number, last: number) =>
  slices <= MOST_THIN
    ? marksOf('s', Math.max(0, last - slices + 1), last)
    : marksOf('t', Math.floor(Math.max(0, last - slices + 1) / THICK), Math.floor(last / THICK))

type Ask = (query: string) => Promise<Candidate[]>
type Shop = Pick<Understood, 'products' | 'last'>

/** What a query finds; of very much, the newest, of which there are enough. */
async function newest(
  ask: Ask,
  { text, share }: Query,
  { products, last }: Shop,
  most = MOST_FOUND,
): Promise<Found> {
  const whole = Math.floor(last / SLICE) + 1
  if (share * products > 2 * most) {
    let perSlice = (share * products) / whole
    let slices = 0
    for (;;) {
      slices = Math.max(slices * 2, Math.ceil((MARGIN * most) / perSlice) + 1)
      if (slices > whole / 2) break
      const candidates = await ask(`(${text}) & (${newestSlices(slices, whole - 1)})`)
      if (candidates.length >= most) return { candidates, isCut: true }
      // words may keep company, or avoid each other: what was found tells how often
      perSlice = Math.max(1, candidates.length) / slices
    }
  }
  const candidates = await ask(text)
  return { candidates, isCut: candidates.length > most }
}

const byRank = (a: Candidate, b: Candidate) => a.rank - b.rank || (a.id < b.id ? 1 : -1)

function best(lists: Found[]): Found {
  const byId = new Map<string, Candidate>()
  for (const { candidates } of lists)
    for (const one of candidates) {
      const known = byId.get(one.id)
      if (!known || one.rank < known.rank) byId.set(one.id, one)
    }
  const candidates = [...byId.values()].sort(byRank)
  return {
    candidates: candidates.slice(0, MOST_FOUND),
    isCut: candidates.length > MOST_FOUND || lists.some(({ isCut }) => isCut),
  }
}

/** From the narrowest to the widest, each finding all that the one before it finds. */
function tiersOf({ wishes, products }: Understood) {
  const named = everyWish(wishes, 'whole', 'name', products)
  const namedBegun = everyWish(wishes, 'begun', 'name', products)
  const anywhere = everyWish(wishes, 'whole', 'anywhere', products)
  return { named, namedBegun, anywhere, widest: everyWish(wishes, 'begun', 'anywhere', products) }
}

const textOf = (query: Query | null) => query?.text ?? null

/** What has every word, names first. A tier is left out where the next one is small, too. */
async function findEvery(db: Database, meant: Understood, choice: Choice): Promise<Found> {
  const { named, namedBegun, anywhere, widest } = tiersOf(meant)
  const ranking: Ranking = {
    text: meant.text,
    phrase: phraseOf(meant.phrase),
    queries: [named, namedBegun, anywhere].map(textOf),
  }
  const inStock = choice.inStock ?? false
  const ask: Ask = (query) => selectCandidates(db, { query, ranking, inStock })
  const tiers = [named, namedBegun, widest ?? namedBegun]
    .filter((tier) => tier !== null)
    .map((tier) => narrowed(tier, choice))
  const lists: Found[] = []
  for (const [at, tier] of tiers.entries()) {
    const next = tiers[at + 1]
    if (next && (next.share * meant.products <= AT_ONCE || next.text === tier.text)) continue
    if (lists.length === 0 && next) {
      lists.push({
        candidates: await selectByName(db, { query: tier.text, ranking, inStock }),
        isCut: false,
      })
    }
    lists.push(await newest(ask, tier, meant))
    if (lists.some(({ isCut }) => isCut)) break
  }
  return best(lists)
}

/** What has any of the words: those with more of them first, the rare words counting more. */
async function findAny(db: Database, meant: Understood, choice: Choice, after: number) {
  const { wishes, products } = meant
  const saidIn = (where: Where) => (wish: Wish) =>
    waysQuery(wish.whole.length > 0 ? wish.whole : wish.begun, where, products)
  const inNames = wishes.map(saidIn('name'))
  const anywhere = wishes.map(saidIn('anywhere'))
  // what stands in a name stands anywhere, but for words that say nothing
  const widest = any(anywhere.map((query, at) => query ?? inNames[at]).filter((query) => !!query))
  if (!widest) return { candidates: [], isCut: false }
  const ranking: Ranking = { text: meant.text, phrase: '$.', queries: orderOf(inNames, anywhere) }
  const ask: Ask = (query) =>
    selectCandidates(db, { query, ranking, inStock: choice.inStock ?? false })
  const { candidates, isCut } = await newest(ask, narrowed(widest, choice), meant)
  return { candidates: candidates.map((one) => ({ ...one, rank: one.rank + after })), isCut }
}

/** All but one of the words, then single ones, the rare ones first; in names before anywhere. */
function orderOf(inNames: (Query | null)[], anywhere: (Query | null)[]): (string | null)[] {
  const rareFirst = (queries: (Query | null)[]) =>
    queries.filter((query) => query !== null).toSorted((a, b) => a.share - b.share)
  const [named, found] = [rareFirst(inNames), rareFirst(anywhere)]
  const pairs = named.flatMap((a, at) =>
    named.slice(at + 1).map((b) => `(${a.text}) & (${b.text})`),
  )
  return [...pairs, ...named.map(textOf), ...found.map(textOf)]
}

/** What a customer means, best first; narrowed by what was chosen. */
export async function find(db: Database, meant: Understood, choice: Choice = {}): Promise<Found> {
  if (meant.wishes.length === 0) return { candidates: [], isCut: false }
  const every = await findEvery(db, meant, choice)
  if (every.candidates.length >= ENOUGH || meant.wishes.length === 1) return every
  return best([every, await findAny(db, meant, choice, 100)])
}

/** Products that suggestions are made of. */
const SUGGESTED = 100

/** Some of the products whose names have what was typed so far, best first. */
export async function findNamed(db: Database, meant: Understood): Promise<Found> {
  const { named, namedBegun } = tiersOf(meant)
  const tier = namedBegun ?? named
  if (!tier) return { candidates: [], isCut: false }
  const ranking: Ranking = {
    text: meant.text,
    phrase: phraseOf(meant.phrase),
    queries: [textOf(named)],
  }
  const wanted = { ranking, inStock: false }
  const ask: Ask = (query) => selectCandidates(db, { query, ...wanted })
  const lists = await Promise.all([
    selectByName(db, { query: tier.text, ...wanted }),
    newest(ask, tier, meant, SUGGESTED),
  ])
  const [exact, found] = lists
  return best([{ candidates: exact, isCut: false }, found])
}
