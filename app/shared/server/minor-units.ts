/** Money on the server: minor units of the database, major units of the API, and texts. Pages: `web/use-money.ts`. */
import { formatMoneyBy } from '../model/format-money.ts'
import { moneyFormatOf } from './intl-money-format.ts'

/** Prices are JSON numbers in major units in the API, integers in minor units in the database. */
export const toMajor = (minor: number) => minor / 100

/** An amount in major units as text, such as ₹1,250.00. Messages of the API are in English. */
export const formatMoney = (amount: number, currency: string, locale = 'en-US'): string =>
  formatMoneyBy(moneyFormatOf(locale, currency), amount)

/** An amount in minor units as text. */
export const formatMinor = (minor: number, currency: string, locale?: string): string =>
  formatMoney(toMajor(minor), currency, locale)

/** Rounds to minor units; callers check the number of decimals before. */
export const toMinor = (major: number) => Math.round(major * 100)
