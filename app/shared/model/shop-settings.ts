import type { PublicSettings } from '../contract/public-settings.ts'

export type MoneyFormat = PublicSettings['moneyFormats'][string]

/** The public settings of the shop, available to every page. */
export type ShopSettings = {
  /** The URL of the shop without a trailing slash; null when it is not set. */
  url: string | null
  /** Whether payments take money, are tests, or are not set up. */
  payments: 'live' | 'test' | 'none'
  /** Whether the shop has an SMTP server, so that its e-mails reach their recipients. */
  sendsEmail: boolean
  /** The demo admin's credentials for the log-in page, while the demo data is loaded. */
  demoAdmin: { email: string; password: string } | null
} & PublicSettings

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
  locale: 'en-US',
  timeZone: 'UTC',
  moneyFormats: {},
  lowStock: 5,
  priceBands: [],
  legalPages: [],
  payments: 'live',
  sendsEmail: false,
  demoAdmin: null,
  hasAdmin: true,
}
