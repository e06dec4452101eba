/** Prices are JSON numbers in major units in the API, integers in minor units in the database. */
export const toMajor = (minor: number) => minor / 100

/** An amount in minor units as text in English, such as ₹1,250.00. */
export const formatMinor = (minor: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(toMajor(minor))

/** Rounds to minor units; callers check the number of decimals before. */
export const toMinor = (major: number) => Math.round(major * 100)
