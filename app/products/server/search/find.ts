import { PRICE_BANDS } from '#app/products/contract.ts'
import { MOST_FOUND } from '#app/shared/contract/fields.ts'
import type { Database } from '#db/schema.ts'
import {
  type Candidate,
  type Part,
  type Ranking,
  selectByName,
  selectCandidates,
  type Tiers,
} from './candidates-store.ts'
import { any, everyWish, type Query, waysQuery } from './query.ts'
import type { Understood } from './understand.ts'

/** What narrows a search; nothing given means every product. */
export type Choice = { categories?: string[]; bands?: number[]; inStock?: boolean }

export type Found = {
  candidates: Candidate[]
  /** There are more; these are the best, and of equals the newest. */
  isCut: boolean
}

/** Products of a thin slice, and thin slices of a thick one: as `terms_of` in the database has it. */
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

/** As `terms_of` in the database has them. */
const bandTerm = (band: number) => -1 - band
const thinTerm = (slice: number) => -100_000_000 - slice
const thickTerm = (slice: number) => -200_000_000 - slice

const narrowed = ({ clauses, share }: Query, { bands = [] }: Choice): Query =>
  bands.length === 0
    ? { clauses, share }
    : {
        clauses: [...clauses, bands.map(bandTerm)],
        share: (share * bands.length) / PRICE_BANDS.length,
      }

const termsFrom = (term: (slice: number) => number, from: number, last: number) =>
  Array.from({ length: last - from + 1 }, (_, at) => term(from + at))

/** So many of the newest slices, or somewhat more. */
function newestSlices(slices: number, last: number) {
  const first = Math.max(0, last - slices + 1)
  return slices <= MOST_THIN
    ? termsFrom(thinTerm, first, last)
    : termsFrom(thickTerm, Math.floor(first / THICK), Math.floor(last / THICK))
}

type Ask = (query: Query) => Promise<Candidate[]>
type Shop = Pick<Understood, 'products' | 'last'>

/** What a query finds; of very much, the newest, of which there are enough. */
async function newest(
  ask: Ask,
  query: Query,
  { products, last }: Shop,
  most = MOST_FOUND,
): Promise<Found> {
  const { clauses, share } = query
  const whole = Math.floor(last / SLICE) + 1
  if (share * products > 2 * most) {
    let perSlice = (share * products) / whole
    let slices = 0
    for (;;) {
      slices = Math.max(slices * 2, Math.ceil((MARGIN * most) / perSlice) + 1)
      if (slices > whole / 2) break
      const candidates = await ask({
        clauses: [...clauses, newestSlices(slices, whole - 1)],
        share,
      })
      if (candidates.length >= most) return { candidates, isCut: true }
      // words may keep company, or avoid each other: what was found tells how often
      perSlice = Math.max(1, candidates.length) / slices
    }
  }
  const candidates = await ask(query)
  return { candidates, isCut: candidates.length > most }
}

const byRank = (a: Candidate, b: Candidate) => a.rank - b.rank || b.number - a.number

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

const isSame = (a: Query | null, b: Query | null) =>
  JSON.stringify(a?.clauses) === JSON.stringify(b?.clauses)

const wantedBy = <R extends Ranking>(ranking: R, { categories = [], inStock = false }: Choice) => ({
  ...{ ranking, categories, inStock },
})

/** What has every word, names first. A tier is left out where the next one is small, too. */
async function findEvery(db: Database, meant: Understood, choice: Choice): Promise<Found> {
  const { named, namedBegun, anywhere, widest } = tiersOf(meant)
  const tiers: Tiers = {
    text: meant.text,
    phrase: phraseOf(meant.phrase),
    queries: [named, isSame(named, namedBegun) ? null : namedBegun, anywhere],
  }
  const wanted = wantedBy({ tiers }, choice)
  const ask: Ask = (query) => selectCandidates(db, { query, ...wanted })
  const steps = [named, namedBegun, widest ?? namedBegun]
    .filter((tier) => tier !== null)
    .map((tier) => narrowed(tier, choice))
  const lists: Found[] = []
  for (const [at, tier] of steps.entries()) {
    const next = steps[at + 1]
    if (next && (next.share * meant.products <= AT_ONCE || isSame(next, tier))) continue
    if (lists.length === 0 && next) {
      lists.push({
        candidates: await selectByName(db, { query: tier, ...wanted }),
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
  const parts = wishes
    .filter(({ isVague }) => !isVague)
    .flatMap(({ whole, begun }): Part[] => {
      const ways = whole.length > 0 ? whole : begun
      const named = waysQuery(ways, 'name', products)
      // what stands in a name stands anywhere, but for words that say nothing
      const anywhere = waysQuery(ways, 'anywhere', products) ?? named
      return anywhere ? [{ anywhere, named }] : []
    })
    .toSorted((a, b) => a.anywhere.share - b.anywhere.share)
  const widest = any(parts.map(({ anywhere }) => anywhere))
  if (!widest) return { candidates: [], isCut: false }
  const wanted = wantedBy({ parts }, choice)
  const ask: Ask = (query) => selectCandidates(db, { query, ...wanted })
  const { candidates, isCut } = await newest(ask, narrowed(widest, choice), meant)
  return { candidates: candidates.map((one) => ({ ...one, rank: one.rank + after })), isCut }
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
  const tiers: Tiers = {
    text: meant.text,
    phrase: phraseOf(meant.phrase),
    queries: [named],
  }
  const wanted = wantedBy({ tiers }, {})
  const ask: Ask = (query) => selectCandidates(db, { query, ...wanted })
  const lists = await Promise.all([
    selectByName(db, { query: tier, ...wanted }),
    newest(ask, tier, meant, SUGGESTED),
  ])
  const [exact, found] = lists
  return best([{ candidates: exact, isCut: false }, found])
}
