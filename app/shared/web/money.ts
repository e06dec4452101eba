import { useShop } from './use-shop.ts'

/**
 * Prints an amount (major units) in a currency (ISO 4217). The locale is fixed: the server and
 * every browser must print the same.
 */
export const formatMoney = (amount: number, currency: string) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount)

/** Prints prices (major units) in the shop's display currency. */
export function useMoney(): (price: number) => string {
  const { currencyDisplay } = useShop()
  return (price) => formatMoney(price, currencyDisplay)
}
