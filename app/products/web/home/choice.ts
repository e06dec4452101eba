import { bandKey, PRICE_BANDS, productCalls } from '#app/products/contract.ts'
import { idsAmong } from '#app/shared/contract/fields.ts'
import type { Call } from '#app/shared/web/call.ts'

/**
 * The selected filters. They are in the URL of the home page, so that they survive Back and reload,
 * can be shared, and work without scripts.
 */
export type Choice = {
  /** Category ids. */
  categories: string[]
  /** An index in PRICE_BANDS. */
  band: number | null
}

/** Parses the filters from a query string; invalid ones are ignored. */
export function choiceOf(params: URLSearchParams): Choice {
  const band = PRICE_BANDS.findIndex((_, index) => bandKey(index) === params.get('price'))
  return { categories: idsAmong(params.getAll('category')), band: band < 0 ? null : band }
}

export function paramsOf({ categories, band }: Choice): URLSearchParams {
  const params = new URLSearchParams(categories.map((id) => ['category', id]))
  if (band !== null) params.set('price', bandKey(band))
  return params
}

/** Loads a page of the filtered products; of all products without filters. */
export function loadChosen(call: Call, { categories, band }: Choice, page: number) {
  if (categories.length === 0 && band === null) {
    return call(productCalls.listProducts, { params: { page } })
  }
  const radio = [...(PRICE_BANDS[band ?? -1]?.range ?? [])]
  return call(productCalls.filterProducts, { body: { checked: categories, radio, page } })
}
