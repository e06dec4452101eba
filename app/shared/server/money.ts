/** Prices are JSON numbers in major units outside, integer minor units inside. */
export const toMajor = (minor: number) => minor / 100

/** Throws nothing: more than two decimals are rounded away, so check before where that matters. */
export const toMinor = (major: number) => Math.round(major * 100)
