/** The cost of searches of unknown words in a large catalogue. */
import { beforeAll, describe, expect, it } from 'vitest'
import { seed } from '#bench/seed/seed.ts'
import { seededRandom } from '#tests/support/seeded-random.ts'
import { testShop } from '#tests/support/shop.ts'
import { yardstick } from '#tests/support/yardstick.ts'

const shop = testShop()
beforeAll(() => seed(shop.db, { products: 12_000 }))

/** The most that a made-up search costs where a usual one costs next to nothing, as a multiple of fixed work. */
const LITTLE = 2.5
/** Rounds of each search; the fastest counts, because of other load on the machine. */
const ROUNDS = 8

const { next } = seededRandom(1)
const letters = (count: number) =>
  Array.from({ length: count }, () => String.fromCharCode(97 + Math.floor(next() * 26))).join('')
const words = (count: number) => Array.from({ length: count }, () => letters(10)).join(' ')

/** Words of the names without blanks: frequent trigrams, but no known word. */
const JOINED = 'northernclaychairwinterhempcushioncopperstonekitecoastalbrasslamp'

type Search = (text: string) => Promise<{ status: number }>

const CALLS: [what: string, longest: number, search: Search][] = [
  [
    'GET /product/search/:keyword',
    20_000,
    (text) => shop.get(`/product/search/${encodeURIComponent(text)}`),
  ],
  [
    'GET /product/search-results',
    20_000,
    (text) => shop.get(`/product/search-results?keyword=${encodeURIComponent(text)}`),
  ],
  [
    'GET /product/suggest',
    200,
    (text) => shop.get(`/product/suggest?q=${encodeURIComponent(text)}`),
  ],
]

/** The duration of a search in milliseconds: PostgreSQL works in other processes. */
async function timeOf(search: Search, text: string): Promise<number> {
  const since = performance.now()
  expect((await search(text)).status).toBe(200)
  return performance.now() - since
}

/** The shortest durations of a usual and of a made-up search, made in turns. */
async function compare(search: Search, textOf: () => string) {
  const least = { usual: Number.POSITIVE_INFINITY, madeUp: Number.POSITIVE_INFINITY }
  for (let round = 0; round < ROUNDS; round++) {
    least.usual = Math.min(least.usual, await timeOf(search, 'golden workshop lamp'))
    least.madeUp = Math.min(least.madeUp, await timeOf(search, textOf()))
  }
  return least
}

describe.each(CALLS)('%s', (_what, longest, search) => {
  const cut = (text: string) => text.slice(0, longest)

  it.each<[what: string, textOf: () => string]>([
    ['100 letters', () => letters(100)],
    ['300 letters', () => cut(letters(300))],
    ['1,000 letters', () => cut(letters(1000))],
    ['the longest keyword', () => cut(letters(20_000))],
    ['60 unknown words', () => cut(words(60))],
    ['the most unknown words', () => cut(words(2000))],
    ['known words without blanks', () => cut(`${letters(1)}${JOINED.repeat(10)}`)],
    [
      'unknown words of known words',
      () =>
        cut(
          Array(60)
            .fill(`${JOINED}${letters(1)}`)
            .join(' '),
        ),
    ],
  ])('of %s costs no more than a usual search', async (_text, textOf) => {
    const { usual, madeUp } = await compare(search, textOf)
    expect(madeUp).toBeLessThan(Math.max(3 * usual, LITTLE * yardstick()))
  })
})
