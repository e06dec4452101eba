import type { MoneyFormat } from '#app/shared/contract/shop-settings.ts'
import { useShop } from '../use-shop.ts'
import { PLAIN_FORMAT } from './money-text.ts'

/** The format of the shop's prices, for amounts that are typed. */
export function useMoneyFormat(): MoneyFormat {
  const { currencyDisplay, moneyFormats } = useShop()
  return moneyFormats[currencyDisplay] ?? PLAIN_FORMAT
}
