import { bandOfKey } from '#app/products/contract.ts'
import { MOST_CATEGORIES, SEARCH_ORDERS, type SearchOrder } from '#app/products/search-contract.ts'
import { idsAmong } from '#app/shared/contract/fields.ts'

/**
 * The keyword, filters and order of a search or a category page. They are in the URL, which can be
 * shared and works without scripts.
 */
export type SearchChoice = {
  /** Empty on a category page. */
  keyword: string
  /** Category ids. */
  categories: string[]
  /** The key of a price band, such as `20-39`. */
  price: string | null
  inStock: boolean
  sort: SearchOrder
}

/** The page of a choice, and its default order, which the URL omits. */
export type ChoicePlace = { path: string; usual: SearchOrder }

export const SEARCH_PLACE: ChoicePlace = { path: '/search', usual: 'relevance' }

/** Parses the choice from a query string; invalid values are ignored. */
export function searchChoiceOf(params: URLSearchParams, { usual } = SEARCH_PLACE): SearchChoice {
  const price = params.get('price')
  return {
    keyword: params.get('q') ?? '',
    categories: idsAmong(params.getAll('category')).slice(0, MOST_CATEGORIES),
    price: bandOfKey(price) ? price : null,
    inStock: params.get('stock') === 'in',
    sort: SEARCH_ORDERS.find((order) => order === params.get('sort')) ?? usual,
  }
}

/** The choice as canonical parameters. */
export const searchParamsOf = (
  { keyword, categories, price, inStock, sort }: SearchChoice,
  { path, usual } = SEARCH_PLACE,
): URLSearchParams =>
  new URLSearchParams([
    ...(path === SEARCH_PLACE.path ? [['q', keyword]] : []),
    ...categories.map((id) => ['category', id]),
    ...(price === null ? [] : [['price', price]]),
    ...(inStock ? [['stock', 'in']] : []),
    ...(sort === usual ? [] : [['sort', sort]]),
  ])

/** The URL of a choice. */
export function searchPath(choice: SearchChoice, place: ChoicePlace = SEARCH_PLACE): string {
  const params = searchParamsOf(choice, place)
  return params.size > 0 ? `${place.path}?${params}` : place.path
}

/** The number of active filters. */
export const filtersIn = ({ categories, price, inStock }: SearchChoice) =>
  categories.length + (price === null ? 0 : 1) + (inStock ? 1 : 0)

export const withoutFilters = ({ keyword, sort }: SearchChoice): SearchChoice => ({
  keyword,
  sort,
  categories: [],
  price: null,
  inStock: false,
})
