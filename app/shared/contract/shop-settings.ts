/** How amounts of a currency are written: `-$1,234.50` has the symbol `$` and two digits. */
export type MoneyFormat = { symbol: string; digits: number }

/** The public settings of the shop, available to every page. */
export type ShopSettings = {
  name: string
  /** The URL of the shop without a trailing slash; null when it is not set. */
  url: string | null
  /** The currency of displayed prices (ISO 4217). */
  currencyDisplay: string
  /** The currency of charges (ISO 4217). */
  currencyCharge: string
  /** The formats of these two currencies. */
  moneyFormats: Record<string, MoneyFormat>
  /** Whether payments take money, are tests, or are not set up. */
  payments: 'live' | 'test' | 'none'
  /** The demo admin's credentials for the log-in page, while the demo data is loaded. */
  demoAdmin: { email: string; password: string } | null
}
