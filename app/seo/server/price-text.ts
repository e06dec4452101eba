import { toMajor } from '#app/shared/server/money.ts'

/** A price in major units with two decimals, as structured data and feeds write it. */
export const priceText = (minor: number) => toMajor(minor).toFixed(2)
