/** Prices are JSON numbers in major units in the API, integers in minor units in the database. */
export const toMajor = (minor: number) => minor / 100

/** Rounds to minor units; callers check the number of decimals before. */
export const toMinor = (major: number) => Math.round(major * 100)
