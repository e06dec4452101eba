import { invalid } from '#app/shared/server/failure.ts'
import { toMinor } from '#app/shared/server/money.ts'
import { bandKey, PRICE_BANDS, PRICE_RANGE_TOP } from '../contract.ts'

/** Prices in minor units: from ≤ price < below; null where there is no upper end. */
export type PriceRange = { from: number; below: number | null }

/** The lowest price of each band in minor units: the thresholds of PostgreSQL's `width_bucket`. */
export const BAND_THRESHOLDS = PRICE_BANDS.map(({ range: [low] }) => toMinor(low))

/** The prices from `low` to `high`, in major units (spec §3): [a, b] is a ≤ price < b + 1. */
function rangeOf(low: number, high: number): PriceRange {
  return { from: toMinor(low), below: high >= PRICE_RANGE_TOP ? null : toMinor(high + 1) }
}

/** The band of a URL key, by index; undefined for an unknown key. */
export function bandOfKey(key: string | undefined): number | undefined {
  const band = PRICE_BANDS.findIndex((_, at) => bandKey(at) === key)
  return band < 0 ? undefined : band
}

/** The prices of a band; any price for an unknown band. */
export function rangeOfBand(band: number | undefined): PriceRange | undefined {
  const [low, high] = PRICE_BANDS[band ?? -1]?.range ?? []
  return low === undefined || high === undefined ? undefined : rangeOf(low, high)
}

/**
 * The price range of the filter's pair of major units (spec §3). No pair, or an empty one, is any
 * price: undefined. Throws `invalid` when it is not a pair, or in the wrong order.
 */
export function priceRangeOf(radio: number[] = []): PriceRange | undefined {
  if (radio.length === 0) return undefined
  const [low, high] = radio
  if (low === undefined || high === undefined) {
    throw invalid('radio must hold a lowest and a highest price.')
  }
  if (low > high) throw invalid('radio must hold the lowest price before the highest.')
  return rangeOf(low, high)
}
