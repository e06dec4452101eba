import { useShop } from './use-shop.ts'

/** Making one takes much longer than printing with it. */
const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string): Intl.NumberFormat {
  const known = formats.get(currency)
  if (known) return known
  const made = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  formats.set(currency, made)
  return made
}

/**
 * Prints an amount (major units) in a currency (ISO 4217). The locale is fixed: the server and
 * every browser must print the same.
 */
export const formatMoney = (amount: number, currency: string) => formatOf(currency).format(amount)

/** Prints prices (major units) in the shop's display currency. */
export function useMoney(): (price: number) => string {
  const { currencyDisplay } = useShop()
  return (price) => formatMoney(price, currencyDisplay)
}
