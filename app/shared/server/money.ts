import { formatBy } from '../model/money.ts'
import { moneyFormatOf } from './money-format.ts'

/** Prices are JSON numbers in major units in the API, integers in minor units in the database. */
export const toMajor = (minor: number) => minor / 100

/** An amount in major units as text, such as ₹1,250.00. Messages of the API are in English. */
export const formatMoney = (amount: number, currency: string, locale = 'en-US'): string =>
  formatBy(moneyFormatOf(locale, currency), amount)

/** An amount in minor units as text. */
export const formatMinor = (minor: number, currency: string, locale?: string): string =>
  formatMoney(toMajor(minor), currency, locale)

/** Rounds to minor units; callers check the number of decimals before. */
export const toMinor = (major: number) => Math.round(major * 100)
