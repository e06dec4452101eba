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

/** The band of a key as it stands in an address, by its index; undefined for no such key. */
export function bandOfKey(key: string | undefined): number | undefined {
  const band = PRICE_BANDS.findIndex((_, at) => bandKey(at) === key)
  return band < 0 ? undefined : band
}

/** The prices of a band; any price where there is no such band. */
export function rangeOfBand(band: number | undefined): PriceRange | undefined {
  const [low, high] = PRICE_BANDS[band ?? -1]?.range ?? []
  return low === undefined || high === undefined ? undefined : rangeOf(low, high)
}

/**
 * The prices that the filter's pair of major units means (spec §3). No pair, or an empty one, means
 * any price: undefined. Throws `invalid` when it is no pair, or its ends are the wrong way round.
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
