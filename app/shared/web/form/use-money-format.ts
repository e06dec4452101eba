import { decimalsOf } from '#app/shared/model/minor-units.ts'
import { PLAIN_FORMAT } from '#app/shared/model/money-text.ts'
import type { MoneyFormat } from '#app/shared/model/shop-settings.ts'
import { useShop } from '../shop.ts'

/** The format of amounts that are typed, in this currency; by default in that of the shop's prices. */
export function useMoneyFormat(given?: string): MoneyFormat {
  const { currencyDisplay, moneyFormats } = useShop()
  const currency = given ?? currencyDisplay
  return moneyFormats[currency] ?? { ...PLAIN_FORMAT, digits: decimalsOf(currency) }
}
