/** The requests of a shop's visitors, made from its contracts and from what it answers. */
import { categoryCalls, categoryPath } from '#app/categories/contract.ts'
import { PAGE_SIZE, productCalls, productPath } from '#app/products/contract.ts'
import { searchCalls } from '#app/products/search-contract.ts'
import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import { address, type Values } from '#app/shared/web/call.ts'
import { WORDS } from './fill/words.ts'
import type { LoadRequest } from './load/load.ts'

/** Requests that are measured together, sent in turn. */
export type Workload = { name: string; requests: LoadRequest[] }

/** Products and categories of a shop, from which requests are made. */
export type Samples = {
  products: { _id: string; slug: string; category: string }[]
  /** The number of pages of the list of all products, and of the largest category; at most 100. */
  pages: number
  categoryPages: number
  /** The largest first. */
  categories: { _id: string; slug: string; total: number }[]
}

/** The page cache answers no request that has a token. Pages and calls of the catalogue do not look at it. */
const TOKEN = { authorization: 'bench' }

/** The requests, each made anew by a shop whose cache is on: from answers and totals that are kept. */
export const madeAnew = (workload: Workload): Workload => ({
  ...workload,
  requests: workload.requests.map((request) => ({
    ...request,
    headers: { ...request.headers, ...TOKEN },
  })),
})

const MAX_PAGES = 100
const PRICE_BAND = [20, 39]

const to = (endpoint: Endpoint, { params = {}, query = {} }: { params?: Values; query?: Values }) =>
  address(endpoint, params, query)

const get = (path: string): LoadRequest => ({ path })

const pagesOf = (total: number) => Math.min(MAX_PAGES, Math.max(1, Math.ceil(total / PAGE_SIZE)))

const listPage = (page: number) => to(productCalls.listProducts, { params: { page } })

export async function findSamples(shop: string): Promise<Samples> {
  const read = async (path: string) => (await fetch(shop + path)).json()
  const { total, products } = await read(listPage(1))
  const { category } = await read(to(categoryCalls.getCategories, {}))
  const categories: Samples['categories'] = []
  for (const { _id, slug } of category) {
    const answer = await read(to(productCalls.productsOfCategory, { params: { slug } }))
    categories.push({ _id, slug, total: answer.total })
  }
  categories.sort((a, b) => b.total - a.total)
  return {
    products,
    pages: pagesOf(total),
    categoryPages: pagesOf(categories[0]?.total ?? 0),
    categories,
  }
}

const wordsAt = (...ranks: number[]) => ranks.map((rank) => (WORDS[rank] ?? '').toLowerCase())

/** Pairs of words that many products have. */
const PAIRS = [
  wordsAt(2, 5),
  wordsAt(8, 4),
  wordsAt(1, 11),
  wordsAt(14, 3),
  wordsAt(17, 7),
  wordsAt(20, 10),
].map(([first = '', second = '']) => ({ first, second }))

const EIGHT_WORDS = wordsAt(0, 1, 2, 3, 4, 5, 6, 7).join(' ')

const withoutThird = (word: string) => word.slice(0, 2) + word.slice(3)

const search = (keyword: string) =>
  get(to(searchCalls.searchProducts, { params: { keyword }, query: {} }))

/** Searches and suggestions, with the same words in a shop of any size. */
export function searches({ categories: [category] }: Samples): Workload[] {
  const narrowed = { category: category?._id, price: PRICE_BAND.join('-'), stock: 'in' }
  return [
    {
      name: 'search: two frequent words',
      requests: PAIRS.map(({ first, second }) => search(`${first} ${second}`)),
    },
    {
      name: 'search: two words, one with a typo',
      requests: PAIRS.map(({ first, second }) => search(`${first} ${withoutThird(second)}`)),
    },
    {
      name: 'search: a word and a prefix',
      requests: PAIRS.map(({ first, second }) => search(`${first} ${second.slice(0, 3)}`)),
    },
    {
      name: 'search: a frequent word, narrowed in three ways',
      requests: PAIRS.map(({ first }) =>
        get(to(searchCalls.searchShop, { query: { keyword: first, ...narrowed } })),
      ),
    },
    { name: 'search: eight frequent words', requests: [search(EIGHT_WORDS)] },
    {
      name: 'suggest',
      requests: PAIRS.flatMap(({ first, second }) => [
        first.slice(0, 3),
        `${first} ${second.slice(0, 2)}`,
      ]).map((q) => get(to(searchCalls.suggest, { query: { q } }))),
    },
  ]
}

const upTo = (pages: number) => Array.from({ length: pages }, (_, at) => at + 1)

const filterBy = (checked: string[], radio: number[]): LoadRequest => ({
  method: 'POST',
  path: to(productCalls.filterProducts, {}),
  body: { checked, radio },
})

/** The calls that read the catalogue, without search. */
export function catalogueCalls(samples: Samples): Workload[] {
  const { products, pages, categoryPages, categories } = samples
  const { slug } = categories[0] ?? { slug: '' }
  const ids = categories.map(({ _id }) => _id)
  const ofCategory = (query: Values) =>
    get(to(productCalls.productsOfCategory, { params: { slug }, query }))
  return [
    { name: 'product-count', requests: [get(to(productCalls.countProducts, {}))] },
    {
      name: `product-list, pages 1 to ${MAX_PAGES}`,
      requests: upTo(pages).map((page) => get(listPage(page))),
    },
    {
      name: `product-category, newest, pages 1 to ${MAX_PAGES}`,
      requests: upTo(categoryPages).map((page) => ofCategory({ page })),
    },
    {
      name: 'product-category, by price, in stock',
      requests: [ofCategory({ sort: 'price-up', stock: 'in' })],
    },
    { name: 'product-filters, a price band', requests: [filterBy([], PRICE_BAND)] },
    { name: 'product-filters, two categories', requests: [filterBy(ids.slice(0, 2), [])] },
    { name: 'product-filters, all categories and a band', requests: [filterBy(ids, PRICE_BAND)] },
    {
      name: 'get-product, one',
      requests: products.map((one) =>
        get(to(productCalls.getProduct, { params: { slug: one.slug } })),
      ),
    },
    {
      name: 'related-product',
      requests: products.map(({ _id: productId, category: categoryId }) =>
        get(to(productCalls.relatedProducts, { params: { productId, categoryId } })),
      ),
    },
  ]
}

/** Facets of each group that `fillCatalogue` makes, so that up to three of them are chosen. */
const FACETS = ['colour:red', 'size:m', 'material:oak']

/** The most products of a category whose pages with facets have a limit of time. */
const MAX_NARROWED = 5000

/** Pages of the largest category up to the limit, and of the largest one, narrowed by facets. */
export function facetPages({ categories }: Samples): Workload[] {
  const chosen = {
    limited: categories.find(({ total }) => total <= MAX_NARROWED),
    larger: categories[0],
  }
  return Object.entries(chosen).flatMap(([size, category]) =>
    [0, 1, 2, 3].map((groups) => {
      const query = new URLSearchParams(
        FACETS.slice(0, groups)
          .sort()
          .map((key) => ['f', key]),
      )
      return {
        name: `page of a ${size} category, ${groups} facets`,
        requests: category ? [get(`${categoryPath(category)}?${query}`)] : [],
      }
    }),
  )
}

/** The pages and calls of a visit. */
export function visits({ products, categories }: Samples): Workload[] {
  const [product = { slug: '' }] = products
  const [category = { _id: '', slug: '', total: 0 }] = categories
  const { first, second } = PAIRS[0] ?? { first: '', second: '' }
  const keyword = `${first} ${second}`
  return [
    { name: 'home page', requests: [get('/')] },
    { name: 'category page', requests: [get(categoryPath(category))] },
    { name: 'product page', requests: [get(productPath(product))] },
    { name: 'search page', requests: [get(`/search?q=${encodeURIComponent(keyword)}`)] },
    { name: 'product-list, page 1', requests: [get(listPage(1))] },
    {
      name: 'get-product, one',
      requests: [get(to(productCalls.getProduct, { params: { slug: product.slug } }))],
    },
    { name: 'search', requests: [search(keyword)] },
  ]
}
