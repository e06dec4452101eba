import { bandKey, PRICE_BANDS } from '#app/products/contract.ts'
import { MOST_CATEGORIES, SEARCH_ORDERS, type SearchOrder } from '#app/products/search-contract.ts'
import { idsAmong } from '#app/shared/contract/fields.ts'

/**
 * What a search asks for, or a list of a category. It stands in the address, which can be shared and
 * works without a script.
 */
export type SearchChoice = {
  /** Empty where nothing is searched. */
  keyword: string
  /** Category ids. */
  categories: string[]
  /** A price band as it stands in addresses, e.g. `20-39`. */
  price: string | null
  inStock: boolean
  sort: SearchOrder
}

/** Where a choice is shown, and the order that its address need not name. */
export type ChoicePlace = { path: string; usual: SearchOrder }

export const SEARCH_PLACE: ChoicePlace = { path: '/search', usual: 'relevance' }

export const BANDS = PRICE_BANDS.map(({ label }, band) => ({ label, price: bandKey(band) }))

/** What an address asks for, as far as there is such a thing; the rest of it is passed over. */
export function searchChoiceOf(params: URLSearchParams, { usual } = SEARCH_PLACE): SearchChoice {
  const price = params.get('price')
  return {
    keyword: params.get('q') ?? '',
    categories: idsAmong(params.getAll('category')).slice(0, MOST_CATEGORIES),
    price: BANDS.some((band) => band.price === price) ? price : null,
    inStock: params.get('stock') === 'in',
    sort: SEARCH_ORDERS.find((order) => order === params.get('sort')) ?? usual,
  }
}

/** What of a choice its address says. */
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

/** The address of a choice. */
export function searchPath(choice: SearchChoice, place: ChoicePlace = SEARCH_PLACE): string {
  const params = searchParamsOf(choice, place)
  return params.size > 0 ? `${place.path}?${params}` : place.path
}

/** How many filters are set. */
export const filtersIn = ({ categories, price, inStock }: SearchChoice) =>
  categories.length + (price === null ? 0 : 1) + (inStock ? 1 : 0)

export const withoutFilters = ({ keyword, sort }: SearchChoice): SearchChoice => ({
  ...{ keyword, sort },
  ...{ categories: [], price: null, inStock: false },
})
