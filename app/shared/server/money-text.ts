/** Amounts of money as texts on the server. Pages: `web/use-money.ts`. */
import { formatMoneyBy } from '../model/format-money.ts'
import { toMajor } from '../model/minor-units.ts'
import { moneyFormatOf } from './intl-money-format.ts'

/** An amount in major units as text, such as ₹1,250.00. Messages of the API are in English. */
export const formatMoney = (amount: number, currency: string, locale = 'en-US'): string =>
  formatMoneyBy(moneyFormatOf(locale, currency), amount)

/** An amount in minor units as text. */
export const formatMinor = (minor: number, currency: string, locale?: string): string =>
  formatMoney(toMajor(minor, currency), currency, locale)
