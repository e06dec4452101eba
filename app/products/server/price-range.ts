import { invalid } from '#app/shared/server/failure.ts'
import { toMinor } from '#app/shared/server/money.ts'
import { bandOfKey, type PriceBand, priceTopOf } from '../contract.ts'

/** Prices in minor units: from ≤ price < below; null where there is no upper end. */
export type PriceRange = { from: number; below: number | null }

/** The prices from `low` to `high`, in major units (spec §3): [a, b] is a ≤ price < b + 1. */
function rangeOf([low, high]: PriceBand, lows: readonly number[]): PriceRange {
  return { from: toMinor(low), below: high >= priceTopOf(lows) ? null : toMinor(high + 1) }
}

/**
 * The prices of a band's key; any price without one. `lows` are the lowest prices of the bands in
 * the settings. Throws `invalid` for a band in the wrong order.
 */
export function rangeOfKey(
  key: string | undefined,
  lows: readonly number[],
): PriceRange | undefined {
  if (key === undefined) return undefined
  const band = bandOfKey(key)
  if (!band) throw invalid('price must hold the lowest price before the highest.')
  return rangeOf(band, lows)
}

/**
 * The price range of the filter's pair of major units (spec §3). No pair, or an empty one, is any
 * price: undefined. Throws `invalid` when it is not a pair, or in the wrong order.
 */
export function priceRangeOf(
  radio: number[] = [],
  lows: readonly number[] = [],
): PriceRange | undefined {
  if (radio.length === 0) return undefined
  const [low, high] = radio
  if (low === undefined || high === undefined) {
    throw invalid('radio must hold a lowest and a highest price.', 'radio')
  }
  if (low > high) throw invalid('radio must hold the lowest price before the highest.', 'radio')
  return rangeOf([low, high], lows)
}
