import { beforeAll, describe, expect, it } from 'vitest'
import type { ListedProduct } from '#app/products/contract.ts'
import type { FoundShop } from '#app/products/search-contract.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { shopOn, testShop } from '#tests/support/shop.ts'

const shop = testShop()
const ids: Record<string, string> = {}
const slugs: Record<string, string> = {}

const CATALOGUE = [
  ['Cups', 'Blue cup', 5, 3],
  ['Cups', 'Green cup', 25, 0],
  ['Cups', 'Red cup', 45, 1],
  ['Plates', 'Cup plate', 24, 9],
  ['Plates', 'Blue plate', 5, 9],
  ['Books', 'Book of cups', 150, 2],
] as const

beforeAll(async () => {
  for (const name of ['Cups', 'Plates', 'Books']) {
    const { id, slug } = await addCategory(shop.db, name)
    ids[name] = id
    slugs[name] = slug
  }
  for (const [category, name, price, quantity] of CATALOGUE)
    await addProduct(shop.db, { category: { id: ids[category] ?? '' }, name, price, quantity })
})

const results = async (query: string) =>
  (await shop.get<FoundShop>(`/product/search-results?${query}`)).body
const names = ({ products }: { products: Pick<ListedProduct, 'name'>[] }) =>
  products.map(({ name }) => name)
const counts = ({ facets }: FoundShop) => ({
  ...Object.fromEntries(facets.categories.map(({ name, count }) => [name, count])),
  ...Object.fromEntries(facets.prices.map(({ price, count }) => [price, count])),
})

describe('GET /product/search-results', () => {
  it('counts what was found by category and price', async () => {
    const all = await results('keyword=cup')
    expect([all.total, all.isCut, all.facets.areCut]).toEqual([5, false, false])
    expect(counts(all)).toEqual({
      Books: 1,
      Cups: 3,
      Plates: 1,
      '0-19': 1,
      '20-39': 2,
      '40-59': 1,
      '100-9999': 1,
    })
  })

  it('lets facets narrow each other, and none itself', async () => {
    const cups = await results(`keyword=cup&category=${ids.Cups}`)
    expect(cups.total).toBe(3)
    expect(counts(cups)).toEqual({
      Books: 1,
      Cups: 3,
      Plates: 1,
      '0-19': 1,
      '20-39': 1,
      '40-59': 1,
    })
    const both = await results(`keyword=cup&category=${ids.Cups},${ids.Books}&price=20-39`)
    expect(names(both)).toEqual(['Green cup'])
    expect(counts(both)).toEqual({
      Books: 0,
      Cups: 1,
      Plates: 1,
      '0-19': 1,
      '20-39': 1,
      '40-59': 1,
      '100-9999': 1,
    })
  })

  it('leaves out what is sold out, when asked to, from the counts, too', async () => {
    const some = await results('keyword=cup&stock=in')
    expect(names(some)).not.toContain('Green cup')
    expect(counts(some)).toMatchObject({ Cups: 2, '20-39': 1 })
  })

  it.each([
    ['newest', ['Book of cups', 'Cup plate', 'Red cup', 'Green cup', 'Blue cup']],
    ['price-up', ['Blue cup', 'Cup plate', 'Green cup', 'Red cup', 'Book of cups']],
    ['price-down', ['Book of cups', 'Red cup', 'Green cup', 'Cup plate', 'Blue cup']],
  ])('sorts by %s', async (sort, expected) => {
    expect(names(await results(`keyword=cup&sort=${sort}`))).toEqual(expected)
    const { body } = await shop.get<ListedProduct[]>(`/product/search/cup?sort=${sort}`)
    expect(body.map(({ name }) => name)).toEqual(expected)
  })

  it('says what it took a misspelt word for', async () => {
    const found = await results('keyword=bleu+plaet')
    expect(found.corrections).toEqual([
      { typed: 'bleu', meant: 'blue' },
      { typed: 'plaet', meant: 'plate' },
    ])
    expect([found.corrected, names(found)[0]]).toEqual(['blue plate', 'Blue plate'])
    expect(await results('keyword=blue+plate')).toMatchObject({ corrections: [], corrected: null })
  })

  it.each(['', '%20', '.', '..', '/', '%F0%9F%98%80'])('finds nothing for %j', async (q) => {
    expect(await results(`keyword=${q}`)).toMatchObject({ products: [], total: 0, corrected: null })
  })

  it.each([
    '',
    'keyword=cup&category=x',
    'keyword=cup&price=20',
    'keyword=cup&sort=best',
    'keyword=cup&stock=all',
    'keyword=cup&page=0',
  ])('refuses %j', async (query) => {
    expect((await shop.get(`/product/search-results?${query}`)).status).toBe(400)
  })

  it('pages through', async () => {
    expect(names(await results('keyword=cup&page=2'))).toEqual([])
  })
})

describe('searches of which no word is known', () => {
  it('are limited more than others, all calls of a search together', async () => {
    const limited = await shopOn(shop.db, { RATE_LIMIT: 'on' })
    const statusOf = async (path: string, from = '203.0.113.1') =>
      (await limited.get(path, { from })).status
    const statuses: number[] = []
    for (let n = 0; n < 20; n++)
      for (const path of ['search/xyzzyq', 'search-results?keyword=xyzzyq', 'suggest?q=xyzzyq'])
        statuses.push(await statusOf(`/product/${path}`))
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await statusOf('/product/search/xyzzyq')).toBe(429)
    expect(await statusOf('/product/suggest?q=xyzzyq')).toBe(429)
    expect(await statusOf('/product/search/cup')).toBe(200)
    expect(await statusOf('/product/search/xyzzyq', '203.0.113.2')).toBe(200)
    await limited.app.close()
  })
})

describe('products of the same price', () => {
  const listed = async (query: string) => {
    const { body } = await shop.get<{ products: ListedProduct[] }>(
      `/product/product-category/${slugs.Cups}?${query}`,
    )
    return names(body)
  }

  it.each(['newest', 'price-up', 'price-down'])('are sorted by %s as in lists', async (sort) => {
    const product = { category: { id: ids.Cups ?? '' }, price: 25 }
    for (const name of ['First cup', 'Second cup']) await addProduct(shop.db, { ...product, name })
    const found = await results(`keyword=cup&category=${ids.Cups}&sort=${sort}`)
    expect(names(found)).toEqual(await listed(`sort=${sort}`))
  })
})
