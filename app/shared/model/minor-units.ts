/**
 * Money of a currency (ISO 4217): integers of minor units in the database, numbers of major units in the API. The
 * decimals are ISO's own. Those of `Intl` are CLDR's, which differ (HUF has none there), and change with the version of
 * Node and browser: stored amounts would be worth a hundredfold.
 */

/** The decimals of the currencies that do not have two. */
const DECIMALS: Record<string, number> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
  CLF: 4,
  UYW: 4,
}

/**
 * The greatest price in every currency, in minor units: 1,000,000.00 dollars, 100,000,000 yen, 100,000.000 dinars. So
 * it is also the greatest price in major units of any currency.
 */
export const MAX_PRICE_MINOR = 100_000_000

/** The number of decimals of a currency. */
export const decimalsOf = (currency: string): number => DECIMALS[currency] ?? 2

/** How many minor units a major unit has. */
const minorPerMajor = (currency: string) => 10 ** decimalsOf(currency)

/** An amount in minor units as major units. */
export const toMajor = (minor: number, currency: string): number => minor / minorPerMajor(currency)

/** An amount in major units as minor units, rounded. Of requests: `givenMinor` and `givenPrice`, which refuse. */
export const toMinor = (major: number, currency: string): number =>
  Math.round(major * minorPerMajor(currency))
