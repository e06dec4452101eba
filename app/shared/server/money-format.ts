import type { MoneyFormat } from '../contract/shop-settings.ts'

/** The formats of currencies, by their codes (ISO 4217). */
export const moneyFormatsOf = (currencies: string[]): Record<string, MoneyFormat> =>
  Object.fromEntries(currencies.map((currency) => [currency, moneyFormatOf(currency)]))

/** The format of a currency (ISO 4217) in English, from Node's own data. */
function moneyFormatOf(currency: string): MoneyFormat {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  const parts = format.formatToParts(0)
  const number = parts.findIndex(({ type }) => type === 'integer')
  const symbol = parts
    .slice(0, number)
    .map(({ value }) => value)
    .join('')
  return { symbol, digits: format.resolvedOptions().maximumFractionDigits ?? 2 }
}
