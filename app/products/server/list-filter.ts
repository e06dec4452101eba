import type { PriceBands } from '#app/settings/server/service.ts'
import { idsAmong } from '#app/shared/contract/fields.ts'
import { toMinor } from '#app/shared/model/minor-units.ts'
import { invalid } from '#app/shared/server/failure.ts'
import { priceTopOf } from '../model.ts'
import type { FacetGroups } from './facets/store.ts'

/** Prices in minor units: from ≤ price < below; null where there is no upper end. */
export type PriceRange = { from: number; below: number | null }

/** Filters of a list; an empty filter means every product. */
export type ListFilter = {
  categories?: string[] | undefined
  prices?: PriceRange | undefined
  inStock?: boolean | undefined
  facets?: FacetGroups | undefined
}

/**
 * The prices of a pair of major units (spec §3): [a, b] is a ≤ price < b + 1. No pair, or an empty one, is
 * any price. The bands are those of the settings; `name` is the pair's field. Throws
 * `invalid` when it is not a pair, or in the wrong order.
 */
export function priceRangeOf(
  name: string,
  pair: number[] = [],
  { lows, currency }: PriceBands,
): PriceRange | undefined {
  if (pair.length === 0) return undefined
  const [low, high] = pair
  if (low === undefined || high === undefined)
    throw invalid(`${name} must have a lowest and a highest price.`, name)
  if (low > high) throw invalid(`${name} must have the lowest price before the highest.`, name)
  const below = high >= priceTopOf(lows) ? null : toMinor(high + 1, currency)
  return { from: toMinor(low, currency), below }
}

/** The filters of a list as they are sent: ids separated by commas, and the key of a price band. */
type SentFilter = { category?: string; price?: string; stock?: 'in' }

/** The filter that was sent. Throws `invalid` for a price band in the wrong order. */
export const filterOf = (
  { category, price, stock }: SentFilter,
  bands: PriceBands,
): ListFilter => ({
  categories: category === undefined ? undefined : idsAmong(category.split(',')),
  prices: priceRangeOf('price', price?.split('-').map(Number), bands),
  inStock: stock === 'in',
})
