import { startTransition, useOptimistic } from 'react'
import { useNavigate } from 'react-router'
import { categoryPath } from '#app/categories/contract.ts'
import { canonicalKeys, keysParam } from '#app/products/facet-model.ts'
import {
  bandOfKey,
  LIST_ORDERS,
  MAX_CATEGORIES,
  MAX_SEARCHED_CATEGORIES,
  SEARCH_ORDERS,
  type SearchOrder,
} from '#app/products/model.ts'
import { idsAmong } from '#app/shared/contract/fields.ts'
import { href } from '#app/shared/model/href.ts'
import { pageOf, withPage } from '#app/shared/web/query.ts'
import { useAnnouncement } from '#app/shared/web/toast.tsx'

/**
 * The keyword, filters and order of a list. They are in the URL of its page, so that they survive Back and
 * reload, can be shared, and work without scripts.
 */
export type Choice = {
  keyword: string
  /** Category ids. */
  categories: string[]
  /** The key of a price band, such as `20-39`. */
  price: string | null
  inStock: boolean
  /** Keys of facets, such as `colour:red`. */
  facets: string[]
  order: SearchOrder
}

/** A page with a list, and the choices that it offers. */
export type ListPlace = {
  path: string
  hasKeyword?: true
  maxCategories: number
  hasStock?: true
  hasFacets?: true
  /** The sort orders to choose from. The first one is the default, which the URL omits. */
  orders: readonly [SearchOrder, ...SearchOrder[]]
}

export const HOME: ListPlace = {
  path: '/',
  maxCategories: MAX_CATEGORIES,
  orders: ['newest'],
}

export const SEARCH: ListPlace = {
  path: href('/search'),
  hasKeyword: true,
  maxCategories: MAX_SEARCHED_CATEGORIES,
  hasStock: true,
  hasFacets: true,
  orders: SEARCH_ORDERS,
}

export const categoryPlace = (category: { slug: string }): ListPlace => ({
  path: categoryPath(category),
  maxCategories: 0,
  hasStock: true,
  hasFacets: true,
  orders: LIST_ORDERS,
})

/** Parses the choice from a query string; invalid values, and those the page does not have, are ignored. */
export function choiceIn(params: URLSearchParams, place: ListPlace): Choice {
  const price = params.get('price')
  return {
    keyword: (place.hasKeyword && params.get('q')) || '',
    categories: idsAmong(params.getAll('category')).slice(0, place.maxCategories),
    price: bandOfKey(price) ? price : null,
    inStock: place.hasStock === true && params.get('stock') === 'in',
    facets: place.hasFacets ? canonicalKeys(params.getAll('f')) : [],
    order: place.orders.find((order) => order === params.get('sort')) ?? place.orders[0],
  }
}

/** The choice as canonical parameters. */
export const paramsOf = (
  { keyword, categories, price, inStock, facets, order }: Choice,
  place: ListPlace,
): URLSearchParams =>
  new URLSearchParams([
    ...(place.hasKeyword ? [['q', keyword]] : []),
    ...categories.map((id) => ['category', id]),
    ...(price === null ? [] : [['price', price]]),
    ...(inStock ? [['stock', 'in']] : []),
    ...canonicalKeys(facets).map((key) => ['f', key]),
    ...(order === place.orders[0] ? [] : [['sort', order]]),
  ])

/** The `handle` of a page with a list: its known parameters in canonical form. */
export const handleOf = (place: ListPlace) => ({
  canonicalParams: (params: URLSearchParams) =>
    withPage(paramsOf(choiceIn(params, place), place), pageOf(params)),
})

/** The choice and the page number in the URL of a request. */
export function requestedIn({ url }: Request, place: ListPlace) {
  const { searchParams } = new URL(url)
  return { choice: choiceIn(searchParams, place), page: pageOf(searchParams) }
}

/** The URL of a choice. */
export function choicePath(choice: Choice, place: ListPlace): string {
  const params = paramsOf(choice, place)
  return params.size > 0 ? `${place.path}?${params}` : place.path
}

/** The filters as parameters of a call. */
export const filterOf = ({ categories, price, inStock, facets }: Choice) => ({
  ...(categories.length > 0 && { category: categories.join(',') }),
  ...(price !== null && { price }),
  ...(inStock && { stock: 'in' as const }),
  ...(facets.length > 0 && { facets: keysParam(facets) }),
})

/** The chosen values with this one chosen, or no longer. */
export const toggled = (chosen: string[], value: string): string[] =>
  chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]

/** The number of active filters. */
export const filtersIn = ({ categories, price, inStock, facets }: Choice) =>
  categories.length + (price === null ? 0 : 1) + (inStock ? 1 : 0) + facets.length

export const withoutFilters = (choice: Choice): Choice => ({
  ...choice,
  categories: [],
  price: null,
  inStock: false,
  facets: [],
})

/**
 * The choice of a page. A selection shows at once (optimistic update), quick clicks build on each other, and
 * a new `total` is announced.
 */
export function useChoice(choice: Choice, place: ListPlace, total: number) {
  const navigate = useNavigate()
  const [shown, show] = useOptimistic(choice)
  useAnnouncement(`${total} ${total === 1 ? 'result' : 'results'}`)
  const choose = (next: Choice) =>
    startTransition(async () => {
      show(next)
      await navigate(choicePath(next, place), { preventScrollReset: true })
    })
  return { shown, choose, isWaiting: shown !== choice }
}
