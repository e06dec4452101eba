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

/** Formats prices (major units) in the shop's display currency. */
export function useMoney(): (price: number) => string {
  const { currencyDisplay } = useShop()
  return (price) => formatMoney(price, currencyDisplay)
}
