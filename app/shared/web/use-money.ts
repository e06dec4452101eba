import { formatMoneyBy } from '../model/format-money.ts'
import { decimalsOf } from '../model/minor-units.ts'
import { useShop } from './shop.ts'

/**
 * Formats prices (major units) in the shop's display currency, or in another one (ISO 4217). The
 * locale is the shop's and not the visitor's, so that the server and every browser render the same.
 * The settings have the formats of the shop's own currencies, because the first formatter of a page
 * takes a slow phone 75 ms.
 */
export function useMoney(): (price: number, currency?: string) => string {
  const { currencyDisplay, locale, moneyFormats } = useShop()
  return (price, currency = currencyDisplay) => {
    const format = moneyFormats[currency]
    if (format) return formatMoneyBy(format, price)
    // no browser has more decimals than ISO 4217
    const minimumFractionDigits = decimalsOf(currency)
    const style = { style: 'currency', currency, minimumFractionDigits } as const
    return new Intl.NumberFormat(locale, style).format(price)
  }
}
