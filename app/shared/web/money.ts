import type { MoneyFormat } from '../contract/shop-settings.ts'
import { useShop } from './use-shop.ts'

/** Creating a formatter takes much longer than using it. */
const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string): Intl.NumberFormat {
  const known = formats.get(currency)
  if (known) return known
  const made = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  formats.set(currency, made)
  return made
}

/**
 * Formats an amount (major units) in a currency (ISO 4217). The locale is fixed, so that the server
 * and every browser render the same.
 */
export const formatMoney = (amount: number, currency: string) => formatOf(currency).format(amount)

const THOUSANDS = /\B(?=(?:\d{3})+(?!\d))/g

/** Formats an amount (major units) as `formatMoney` does. */
export function formatBy({ symbol, digits }: MoneyFormat, amount: number): string {
  const [whole = '', fraction] = Math.abs(amount).toFixed(digits).split('.')
  const grouped = whole.replace(THOUSANDS, ',')
  return `${amount < 0 ? '-' : ''}${symbol}${grouped}${fraction === undefined ? '' : `.${fraction}`}`
}

/**
 * Formats prices (major units) in the shop's display currency, or in `currency`. The shop's settings
 * have the formats of its own currencies, because the first formatter of a page takes a slow phone
 * 75 ms.
 */
export function useMoney(currency?: string): (price: number) => string {
  const { currencyDisplay, moneyFormats } = useShop()
  const wanted = currency ?? currencyDisplay
  const format = moneyFormats[wanted]
  return (price) => (format ? formatBy(format, price) : formatMoney(price, wanted))
}
