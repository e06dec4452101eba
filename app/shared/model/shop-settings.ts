/** How amounts of a currency are written in the shop's locale, such as `-$1,234.50`. */
export type MoneyFormat = {
  /** Text before and after the number; for a negative one, such as `['-$', '']`. */
  affixes: string[]
  negativeAffixes: string[]
  decimal: string
  /** The number of decimals. */
  digits: number
  group: string
  /** Digits in the last group, and in those before it: 3 and 2 in India. */
  groupSizes: number[]
  /** The fewest whole digits that are grouped: 5 in Spain, which writes 1234 and 12.345. */
  leastGrouped: number
  /** The digits from 0 to 9. */
  numerals: string
}

/** The public settings of the shop, available to every page. */
export type ShopSettings = {
  /** The URL of the shop without a trailing slash; null when it is not set. */
  url: string | null
  /** The currency of charges (ISO 4217). */
  currencyCharge: string
  /** Whether payments take money, are tests, or are not set up. */
  payments: 'live' | 'test' | 'none'
  /** Whether the shop has an SMTP server, so that its e-mails reach their recipients. */
  sendsEmail: boolean
  /** The demo admin's credentials for the log-in page, while the demo data is loaded. */
  demoAdmin: { email: string; password: string } | null
  /** Whether the shop has an admin. */
  hasAdmin: boolean
} & DisplaySettings

/** What the merchant has set, as `settings/contract.ts` describes it. */
export type DisplaySettings = {
  name: string
  tagline: string
  logo: { id: string; width: number; height: number } | null
  email: string
  phone: string
  tollFree: string
  address: string
  accent: string
  scheme: 'system' | 'light' | 'dark'
  style: string
  currencyDisplay: string
  locale: string
  /** In which the shop's days begin, such as `Europe/Berlin`. */
  timeZone: string
  /** The formats of the currencies of prices and of charges, by their codes. */
  moneyFormats: Record<string, MoneyFormat>
  lowStock: number
  priceBands: number[]
}

/** The settings of a page that could not load any. */
export const NO_SETTINGS: ShopSettings = {
  name: 'Haat',
  tagline: '',
  url: null,
  logo: null,
  email: '',
  phone: '',
  tollFree: '',
  address: '',
  accent: '',
  scheme: 'system',
  style: '',
  currencyDisplay: 'USD',
  currencyCharge: 'INR',
  locale: 'en-US',
  timeZone: 'UTC',
  moneyFormats: {},
  lowStock: 5,
  priceBands: [],
  payments: 'live',
  sendsEmail: false,
  demoAdmin: null,
  hasAdmin: true,
}
