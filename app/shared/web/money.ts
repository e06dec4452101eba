import type { MoneyFormat } from '../model/shop-settings.ts'
import { useShop } from './shop.ts'

/** Creating a formatter takes much longer than using it. */
const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string, locale: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat(locale, { style: 'currency', currency })
  formats.set(key, made)
  return made
}

/** Formats an amount (major units) in a currency (ISO 4217) and a locale (BCP 47). */
export const formatMoney = (amount: number, currency: string, locale: string) =>
  formatOf(currency, locale).format(amount)

/** Whole digits with a separator between their groups. */
function groupedBy({ group, groupSizes, leastGrouped }: MoneyFormat, whole: string): string {
  if (group === '' || whole.length < leastGrouped) return whole
  const [last = 3, other = last] = groupSizes
  const before = new RegExp(`\\B(?=(?:\\d{${other}})*$)`, 'g')
  return whole.slice(0, -last).replace(before, group) + group + whole.slice(-last)
}

/** Formats an amount (major units) as `formatMoney` does. */
export function formatBy(format: MoneyFormat, amount: number): string {
  const { affixes, negativeAffixes, decimal, digits, numerals } = format
  const [before, after] = amount < 0 ? negativeAffixes : affixes
  const [whole = '', fraction] = Math.abs(amount).toFixed(digits).split('.')
  const glyphs = [...numerals]
  const number = groupedBy(format, whole) + (fraction === undefined ? '' : decimal + fraction)
  return before + number.replace(/\d/g, (digit) => glyphs[Number(digit)] ?? digit) + after
}

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
    return format ? formatBy(format, price) : formatMoney(price, currency, locale)
  }
}
