/** Requests of a shop's visitors. */
import { categoryCalls, categoryPath } from '#app/categories/contract.ts'
import { PAGE_SIZE, productCalls, productPath } from '#app/products/contract.ts'
import { searchCalls } from '#app/products/search-contract.ts'
import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import { address, type Values } from '#app/shared/web/call.ts'
import { WORDS } from './fill/words.ts'
import type { LoadRequest } from './load/connection.ts'

/** A named group of requests, sent in turn. */
export type RequestGroup = { what: string; asks: LoadRequest[] }

/** Ids and page numbers of a shop, for the requests. */
export type Samples = {
  /** Products from the middle of the list, the middle page, and the last one. */
  products: { _id: string; slug: string; category: string }[]
  middle: number
  far: number
  /** The largest categories; of the first also the middle page. */
  categories: { _id: string; slug: string; middle: number }[]
  /** All categories, and the middle page of their products in the price band used. */
  every: { checked: string[]; middle: number }
}

const to = (endpoint: Endpoint, { params = {}, query = {} }: { params?: Values; query?: Values }) =>
  address(endpoint, params, query)

const middlePage = (total: number) => Math.max(1, Math.floor(total / PAGE_SIZE / 2))
const lastPage = (total: number) => Math.max(1, Math.ceil(total / PAGE_SIZE))

const RADIO = [20, 39]

const filterBy = (body: object): LoadRequest => ({
  method: 'POST',
  path: to(productCalls.filterProducts, {}),
  body,
})

async function send(shop: string, { method, path, body }: LoadRequest) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(shop + path, {
    ...(method && { method }),
    headers,
    body: JSON.stringify(body),
  })
  return answer.json()
}

export async function findSamples(shop: string): Promise<Samples> {
  const get = async (path: string) => (await fetch(shop + path)).json()
  const list = (page: number) => get(to(productCalls.listProducts, { params: { page } }))
  const { total: all } = await list(1)
  const middle = middlePage(all)
  const far = lastPage(all)
  const { products } = await list(middle)
  const { category } = await get(to(categoryCalls.getCategories, {}))
  const categories: (Samples['categories'][number] & { total: number })[] = []
  for (const { _id, slug } of category) {
    const { total } = await get(to(productCalls.productsOfCategory, { params: { slug } }))
    categories.push({ _id, slug, total, middle: middlePage(total) })
  }
  categories.sort((a, b) => b.total - a.total)
  const checked = categories.map(({ _id }) => _id)
  const { total } = await send(shop, filterBy({ checked, radio: RADIO }))
  const every = { checked, middle: middlePage(total) }
  return { products, middle, far, categories: categories.slice(0, 4), every }
}

const get = (path: string): LoadRequest => ({ path })

/** Pairs of frequent words. */
const PAIRS = [
  [2, 5],
  [8, 4],
  [1, 11],
  [14, 3],
  [17, 7],
  [20, 10],
].map((ranks) => ranks.map((rank) => (WORDS[rank] ?? '').toLowerCase()))

const withoutThird = (word: string) => word.slice(0, 2) + word.slice(3)

const SEARCHES: Record<string, (first: string, second: string) => string> = {
  'two frequent words': (first, second) => `${first} ${second}`,
  'two words, one with a typo': (first, second) => `${first} ${withoutThird(second)}`,
  'a word and a prefix': (first, second) => `${first} ${second.slice(0, 3)}`,
}

const searchBy = (keyword: string) =>
  get(to(searchCalls.searchProducts, { params: { keyword }, query: {} }))

/** Searches and suggestions; the same words at every size. */
export function searches({ categories: [category] }: Samples): RequestGroup[] {
  const pairs = PAIRS.map(([first = '', second = '']) => ({ first, second }))
  const narrowed = { category: category?._id, price: '20-39', stock: 'in' }
  return [
    ...Object.entries(SEARCHES).map(([what, said]) => ({
      what: `search: ${what}`,
      asks: pairs.map(({ first, second }) => searchBy(said(first, second))),
    })),
    {
      what: 'search: a frequent word, narrowed',
      asks: pairs.map(({ first }) =>
        get(to(searchCalls.searchShop, { query: { keyword: first, ...narrowed } })),
      ),
    },
    {
      what: 'suggest',
      asks: pairs
        .flatMap(({ first, second }) => [first.slice(0, 3), `${first} ${second.slice(0, 2)}`])
        .map((q) => get(to(searchCalls.suggest, { query: { q } }))),
    },
  ]
}

/** The calls that read the catalogue, at first pages and far inside. */
export function catalogueRequests({
  products,
  middle,
  far,
  categories,
  every,
}: Samples): RequestGroup[] {
  const [category = { _id: '', slug: '', middle: 1 }, ...others] = categories
  const list = (page: number) => get(to(productCalls.listProducts, { params: { page } }))
  const ofCategory = (query: Values) =>
    get(to(productCalls.productsOfCategory, { params: { slug: category.slug }, query }))
  const checked = [category._id, ...others.slice(0, 1).map(({ _id }) => _id)]
  const related = products.map(({ _id: productId, category: categoryId }) =>
    get(to(productCalls.relatedProducts, { params: { productId, categoryId } })),
  )
  return [
    { what: 'product-count', asks: [get(to(productCalls.countProducts, {}))] },
    { what: 'product-list, page 1', asks: [list(1)] },
    { what: 'product-list, page 100', asks: [list(Math.min(100, far))] },
    { what: 'product-list, in the middle', asks: [list(middle)] },
    { what: 'product-list, far behind', asks: [list(far)] },
    { what: 'get-product, all', asks: [get(to(productCalls.getProducts, {}))] },
    {
      what: 'get-product, one',
      asks: products.map(({ slug }) => get(to(productCalls.getProduct, { params: { slug } }))),
    },
    { what: 'related-product', asks: related },
    { what: 'product-category, page 1', asks: [ofCategory({})] },
    { what: 'product-category, in the middle', asks: [ofCategory({ page: category.middle })] },
    { what: 'product-category, by price', asks: [ofCategory({ sort: 'price-up', stock: 'in' })] },
    { what: 'product-filters, categories', asks: [filterBy({ checked, radio: [] })] },
    { what: 'product-filters, a price band', asks: [filterBy({ checked: [], radio: RADIO })] },
    { what: 'product-filters, both', asks: [filterBy({ checked, radio: RADIO })] },
    {
      what: 'product-filters, both, page 3',
      asks: [filterBy({ checked, radio: RADIO, page: 3 })],
    },
    {
      what: 'product-filters, all categories and a band, in the middle',
      asks: [filterBy({ checked: every.checked, radio: RADIO, page: every.middle })],
    },
  ]
}

/** The pages that most visitors see, and the calls behind them. */
export function visits(samples: Samples): RequestGroup[] {
  const [product = { _id: '', slug: '', category: '' }] = samples.products
  const [category = { _id: '', slug: '', middle: 1 }] = samples.categories
  const keyword = (PAIRS[0] ?? []).join(' ')
  const calls = new Map(catalogueRequests(samples).map((asked) => [asked.what, asked.asks]))
  const first = (what: string): RequestGroup => ({
    what,
    asks: (calls.get(what) ?? []).slice(0, 1),
  })
  return [
    { what: 'home page', asks: [get('/')] },
    { what: 'category page', asks: [get(categoryPath(category))] },
    { what: 'product page', asks: [get(productPath(product))] },
    { what: 'search page', asks: [get(`/search?q=${encodeURIComponent(keyword)}`)] },
    first('product-list, page 1'),
    first('get-product, all'),
    first('get-product, one'),
    first('product-category, page 1'),
    first('product-filters, both'),
    { what: 'search', asks: [searchBy(keyword)] },
  ]
}
