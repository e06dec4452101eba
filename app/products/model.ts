/** Rules about products that browser and server share: price bands, orders of lists, words of texts. */

import { MAX_PRICE_MINOR } from '../shared/model/minor-units.ts'

/** A price band [low, high] is low ≤ price < high + 1 (spec §3); the last one has no upper end. */
export type PriceBand = [low: number, high: number]

/** The upper end of a band that has none (spec §9). */
const PRICE_RANGE_TOP = 9999
/** The upper end where the settings have bands above it: no price of any currency is higher. */
const MAX_PRICE_TOP = MAX_PRICE_MINOR

/** The least upper end that means none, by the lowest prices of the bands. */
export const priceTopOf = (lows: readonly number[]) =>
  (lows.at(-1) ?? 0) < PRICE_RANGE_TOP ? PRICE_RANGE_TOP : MAX_PRICE_TOP

/** The price bands of the filter, by their lowest prices, which are settings. */
export const priceBandsFrom = (lows: readonly number[]): PriceBand[] =>
  lows.map((low, at) => [low, (lows[at + 1] ?? priceTopOf(lows) + 1) - 1])

/** The key of a band in URLs, such as `20-39`. */
export const bandKey = (band: PriceBand) => band.join('-')

export const BAND_KEY = '^(0|[1-9]\\d{0,8})-(0|[1-9]\\d{0,8})$'

/** The band of a key; null for a key that is not canonical. */
export function bandOfKey(key: string | null | undefined): PriceBand | null {
  const [, low, high] = key?.match(BAND_KEY) ?? []
  return low !== undefined && Number(low) <= Number(high) ? [Number(low), Number(high)] : null
}

/** Sort orders of a list. */
export const LIST_ORDERS = ['newest', 'price-up', 'price-down'] as const
export type ListOrder = (typeof LIST_ORDERS)[number]

/** Sort orders of the results of a search. */
export const SEARCH_ORDERS = ['relevance', ...LIST_ORDERS] as const
export type SearchOrder = (typeof SEARCH_ORDERS)[number]

/** The most categories in the filter of a list: more do not fit into an address. */
export const MAX_CATEGORIES = 300
/** The most categories in the filter of a search. */
export const MAX_SEARCHED_CATEGORIES = 100

/** The words of a text without case and accents, for comparison. */
export const wordsIn = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
