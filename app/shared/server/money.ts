import { LRUCache } from 'lru-cache'

/** Prices are JSON numbers in major units in the API, integers in minor units in the database. */
export const toMajor = (minor: number) => minor / 100

/** Formats by currency and locale: making one takes much longer than using it. */
const formats = new LRUCache<string, Intl.NumberFormat>({ max: 100 })

/** The number format of a currency (ISO 4217) in a locale (BCP 47). */
export function numberFormatOf(locale: string, currency: string): Intl.NumberFormat {
  const key = `${currency} ${locale}`
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, { style: 'currency', currency })
  formats.set(key, format)
  return format
}

/** An amount in major units as text, such as ₹1,250.00. Messages of the API are in English. */
export const formatMoney = (amount: number, currency: string, locale = 'en-US'): string =>
  numberFormatOf(locale, currency).format(amount)

/** An amount in minor units as text. */
export const formatMinor = (minor: number, currency: string, locale?: string): string =>
  formatMoney(toMajor(minor), currency, locale)

/** Rounds to minor units; callers check the number of decimals before. */
export const toMinor = (major: number) => Math.round(major * 100)
