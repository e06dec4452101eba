import { invalid } from '#app/shared/server/failure.ts'
import { toMinor } from '#app/shared/server/money.ts'
import { bandKey, PRICE_BANDS, PRICE_RANGE_TOP } from '../contract.ts'

/** Prices in minor units: `from` is the lowest, `below` the first that is too high. */
export type PriceRange = {
  from: number
  /** Infinity where there is no upper end. */
  below: number
  /** The bands it is made of, as product_counts numbers them; null where it cuts one in two. */
  bands: number[] | null
}

function bandsOf(low: number, high: number): number[] | null {
  const within = PRICE_BANDS.map(({ range: [from, to] }, band) => ({ from, to, band })).filter(
    ({ from, to }) => low <= from && to <= high,
  )
  const whole = within.at(0)?.from === low && within.at(-1)?.to === Math.min(high, PRICE_RANGE_TOP)
  return whole ? within.map(({ band }) => band) : null
}

/** The prices of a band, in minor units. */
export function bandRange(band: number): Pick<PriceRange, 'from' | 'below'> {
  const [low, high] = PRICE_BANDS[band]?.range ?? []
  if (low === undefined || high === undefined) throw new Error(`There is no price band ${band}.`)
  const below = high >= PRICE_RANGE_TOP ? Number.POSITIVE_INFINITY : toMinor(high + 1)
  return { from: toMinor(low), below }
}

/** The band of a key as it stands in an address. */
export const bandOfKey = (key: string) => PRICE_BANDS.findIndex((_, band) => bandKey(band) === key)

/**
 * The prices that the filter's pair of major units means (spec §3): [a, b] is a ≤ price < b + 1,
 * and from 9999 on there is no upper end. No pair, or an empty one, means any price: undefined.
 * Throws `invalid` when it is no pair, or its ends are the wrong way round.
 */
export function priceRangeOf(radio: number[] = []): PriceRange | undefined {
  if (radio.length === 0) return undefined
  const [low, high] = radio
  if (low === undefined || high === undefined) {
    throw invalid('radio must hold a lowest and a highest price.')
  }
  if (low > high) throw invalid('radio must hold the lowest price before the highest.')
  const below = high >= PRICE_RANGE_TOP ? Number.POSITIVE_INFINITY : toMinor(high + 1)
  return { from: toMinor(low), below, bands: bandsOf(low, high) }
}
