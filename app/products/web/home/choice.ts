import { bandOfKey, productCalls } from '#app/products/contract.ts'
import { idsAmong } from '#app/shared/contract/fields.ts'
import type { Call } from '#app/shared/web/call.ts'

/**
 * The selected filters. They are in the URL of the home page, so that they survive Back and reload,
 * can be shared, and work without scripts.
 */
export type Choice = {
  /** Category ids. */
  categories: string[]
  /** The key of a price band, such as `20-39`. */
  price: string | null
}

/** Parses the filters from a query string; invalid ones are ignored. */
export function choiceOf(params: URLSearchParams): Choice {
  const price = params.get('price')
  return {
    categories: idsAmong(params.getAll('category')),
    price: bandOfKey(price) ? price : null,
  }
}

export function paramsOf({ categories, price }: Choice): URLSearchParams {
  const params = new URLSearchParams(categories.map((id) => ['category', id]))
  if (price !== null) params.set('price', price)
  return params
}

/** Loads a page of the filtered products; of all products without filters. */
export function loadChosen(call: Call, { categories, price }: Choice, page: number) {
  if (categories.length === 0 && price === null) {
    return call(productCalls.listProducts, { params: { page } })
  }
  const radio = bandOfKey(price) ?? []
  return call(productCalls.filterProducts, { body: { checked: categories, radio, page } })
}
