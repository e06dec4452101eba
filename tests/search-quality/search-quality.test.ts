import { beforeAll, describe, expect, it } from 'vitest'
import { wordsIn } from '#app/products/model.ts'
import type { FoundShop, Suggestions } from '#app/products/search-contract.ts'
import { DEMO_CATEGORIES, newestFirst } from '#demo/catalogue.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'
import { testShop } from '../support/shop.ts'
import { misspellingsOf } from './misspell.ts'
import { QUERIES, type QualityQuery } from './queries.ts'

const shop = testShop()

beforeAll(async () => {
  const shelved = [...newestFirst()].reverse()
  const ids = new Map<string, { id: string }>()
  for (const { category } of shelved)
    if (!ids.has(category.name)) ids.set(category.name, await addCategory(shop.db, category.name))
  for (const { category, product } of shelved) {
    const { name, description, price, quantity } = product
    const at = ids.get(category.name) ?? { id: '' }
    await addProduct(shop.db, { category: at, name, description, price, quantity })
  }
})

const found = async (query: string) => {
  const keyword = new URLSearchParams({ keyword: query })
  return (await shop.get<FoundShop>(`/product/search-results?${keyword}`)).body
}

/**
 * The reciprocal rank: 1 for the first place, 1/2 for the second, …; 0 when it is not on the page.
 */
async function scoreOf({ query, expected }: QualityQuery): Promise<number> {
  const { products } = await found(query)
  if (expected.length === 0) return products.length === 0 ? 1 : 0
  const place = products.findIndex(({ name }) => expected.some((part) => name.includes(part)))
  return place < 0 ? 0 : 1 / (place + 1)
}

const suggested = async (q: string) =>
  (await shop.get<Suggestions>(`/product/suggest?${new URLSearchParams({ q })}`)).body

const mean = (numbers: number[]) =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length)

describe('the search', () => {
  it.each(
    DEMO_CATEGORIES.flatMap(({ name, products }) =>
      name.split(' & ').map((word) => ({ word, products })),
    ),
  )('finds the whole category by $word', async ({ word, products }) => {
    const { total, facets } = await found(word)
    expect(total).toBeGreaterThanOrEqual(products.length)
    expect(facets.categories).toContainEqual(
      expect.objectContaining({ count: products.length, name: expect.stringContaining(word) }),
    )
  })

  it('puts what customers mean first: a mean reciprocal rank of 0.95 at least', async () => {
    expect(QUERIES.length).toBeGreaterThanOrEqual(150)
    const scored: (QualityQuery & { score: number })[] = []
    for (const asked of QUERIES) scored.push({ ...asked, score: await scoreOf(asked) })
    const kinds = [...new Set(scored.map(({ kind }) => kind))]
    const lines = kinds.map((kind) => {
      const scores = scored.filter((one) => one.kind === kind).map(({ score }) => score)
      return `${kind}: ${mean(scores).toFixed(3)} (${scores.length})`
    })
    const total = mean(scored.map(({ score }) => score))
    const missed = scored.filter(({ score }) => score < 0.5).map(({ query }) => query)
    process.stdout.write(
      `${[...lines, `all: ${total.toFixed(3)} (${scored.length})`, `missed: ${missed.join(', ')}`].join('\n')}\n`,
    )
    expect(total).toBeGreaterThanOrEqual(0.95)
  })

  it('has an answer for every query with a typo', async () => {
    const typos = QUERIES.filter(({ kind }) => kind === 'typos')
    const empty: string[] = []
    for (const { query } of typos) if ((await found(query)).total === 0) empty.push(query)
    expect(empty).toEqual([])
  })

  it('finds with an article what it finds without', async () => {
    const totalOf = async (query: string) => (await found(query)).total
    for (const word of ['red', 'ring', 'rings', 'reeds', 'blue', 'linen', 'teapot']) {
      const total = await totalOf(word)
      expect(total, word).toBeGreaterThan(0)
      for (const article of ['a', 'the']) {
        expect(await totalOf(`${article} ${word}`), `${article} ${word}`).toBe(total)
      }
    }
  })

  it('of a word that has just begun does not find whatever begins so', async () => {
    for (const begun of ['tea', 'tea p', 'tea po', 'tea pot']) {
      expect((await found(begun)).total, begun).toBeLessThan(20)
    }
  })

  it('finds a name by each of its words with any letter missing, added, wrong or swapped', async () => {
    const names = newestFirst().map(({ product }) => product.name)
    const typed = names.flatMap((name, at) => misspellingsOf(name, at))
    const empty: string[] = []
    let first = 0
    for (const { word, name } of typed) {
      const { products } = await found(word)
      if (products.length === 0) empty.push(word)
      if (products.some((product) => product.name === name)) first += 1
    }
    process.stdout.write(`${typed.length} misspelt words, ${first} lead to their product\n`)
    expect(empty).toEqual([])
    expect(first / typed.length).toBeGreaterThan(0.9)
  })

  it('suggests something for every long word of the catalogue that has a typo', async () => {
    const texts = newestFirst().flatMap(({ product }) => [product.name, product.description])
    const long = new Set(texts.flatMap(wordsIn).filter((word) => /^[a-z]{5,}$/.test(word)))
    const typed = [...long].map((word, at) => misspellingsOf(word, at)[at % 4]?.word ?? word)
    expect(typed.length).toBeGreaterThan(500)
    const silent: string[] = []
    for (const word of typed) {
      const { phrases, products, categories } = await suggested(word)
      const suggestions = phrases.length + products.length + categories.length
      if (suggestions === 0 && (await found(word)).total > 0) silent.push(word)
    }
    expect(silent).toEqual([])
  })
})
