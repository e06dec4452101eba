import { bandKey, PRICE_BANDS, productCalls } from '#app/products/contract.ts'
import { idsAmong } from '#app/shared/contract/fields.ts'
import type { Call } from '#app/shared/web/call.ts'

/**
 * What is chosen in the filter panel. It stands in the address of the home page, so that it
 * survives Back and a reload, can be sent to a friend, and works without a script.
 */
export type Choice = {
  /** Category ids. */
  categories: string[]
  /** A place in PRICE_BANDS. */
  band: number | null
}

/** What an address chooses, as far as it can be chosen; the rest of it is passed over. */
export function choiceOf(params: URLSearchParams): Choice {
  const band = PRICE_BANDS.findIndex((_, index) => bandKey(index) === params.get('price'))
  return { categories: idsAmong(params.getAll('category')), band: band < 0 ? null : band }
}

export function paramsOf({ categories, band }: Choice): URLSearchParams {
  const params = new URLSearchParams(categories.map((id) => ['category', id]))
  if (band !== null) params.set('price', bandKey(band))
  return params
}

/** A page of what is chosen; of everything when nothing is. */
export function loadChosen(call: Call, { categories, band }: Choice, page: number) {
  if (categories.length === 0 && band === null) {
    return call(productCalls.listProducts, { params: { page } })
  }
  const radio = [...(PRICE_BANDS[band ?? -1]?.range ?? [])]
  return call(productCalls.filterProducts, { body: { checked: categories, radio, page } })
}
