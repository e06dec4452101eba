import { useShop } from './use-shop.ts'

/**
 * Prints prices (major units) in the shop's display currency. The locale is fixed: the server
 * and every browser must print the same.
 */
export function useMoney(): (price: number) => string {
  const { currencyDisplay } = useShop()
  return (price) =>
    new Intl.NumberFormat('en-US', { style: 'currency', currency: currencyDisplay }).format(price)
}
