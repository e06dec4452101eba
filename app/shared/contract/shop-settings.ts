/** What every page may know of the shop; the server's configuration, without its secrets. */
export type ShopSettings = {
  name: string
  /** Where the shop is, without a slash at the end; null where it was not told. */
  url: string | null
  /** ISO 4217; prices are shown in it. */
  currencyDisplay: string
  /** ISO 4217; payments are made in it. */
  currencyCharge: string
  /** Whether payments take money, are tests that take none, or cannot be made. */
  payments: 'live' | 'test' | 'none'
  /** The demo admin, hinted on the login page while the demo data is there. */
  demoAdmin: { email: string; password: string } | null
}
