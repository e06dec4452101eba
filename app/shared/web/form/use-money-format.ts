import { PLAIN_FORMAT } from '#app/shared/model/money-text.ts'
import type { MoneyFormat } from '#app/shared/model/shop-settings.ts'
import { useShop } from '../shop.ts'

/** The format of amounts that are typed, in this currency; by default in that of the shop's prices. */
export function useMoneyFormat(currency?: string): MoneyFormat {
  const { currencyDisplay, moneyFormats } = useShop()
  return moneyFormats[currency ?? currencyDisplay] ?? PLAIN_FORMAT
}
