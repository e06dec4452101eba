/** A stored rate of tax, in thousandths of a percent, as a percentage. */
export const percentOf = (rate: number) => rate / 1000
