import {
  bandKey,
  bandOfKey,
  type PriceBand,
  priceBandsFrom,
  priceTopOf,
} from '#app/products/model.ts'
import { formatBy } from '#app/shared/model/money.ts'
import type { MoneyFormat } from '#app/shared/model/shop-settings.ts'
import { useShop } from '#app/shared/web/shop.ts'

/** A price band as a filter shows it. */
export type BandOption = { label: string; key: string }

/** Labels of bands in whole units of the currency, such as `$20 to 39` (spec §3). */
function labelsFor(format: MoneyFormat, top: number) {
  const whole = { ...format, digits: 0 }
  // a currency before the number is not repeated
  const upTo = format.affixes[0] ? { ...whole, affixes: ['', ''] } : whole
  return ([low, high]: PriceBand) =>
    high >= top
      ? `${formatBy(whole, low)} or more`
      : `${formatBy(whole, low)} to ${formatBy(upTo, high)}`
}

/** The price bands of the settings; `chosen` is added when it is not one of them. */
export function usePriceBands(chosen: string | null): BandOption[] {
  const { currencyDisplay, moneyFormats, priceBands } = useShop()
  const format = moneyFormats[currencyDisplay]
  if (!format) return []
  const bands = priceBandsFrom(priceBands)
  const other = bands.some((band) => bandKey(band) === chosen) ? null : bandOfKey(chosen)
  const label = labelsFor(format, priceTopOf(priceBands))
  return [...bands, ...(other ? [other] : [])].map((band) => ({
    label: label(band),
    key: bandKey(band),
  }))
}
