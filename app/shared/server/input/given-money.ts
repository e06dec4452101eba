/** Amounts of money in requests. */
import { decimalsOf, toMinor } from '#app/shared/model/minor-units.ts'
import { isInUnits } from '#app/shared/model/money-text.ts'
import { invalid } from '../failure.ts'

/** The refusal of a number with more decimals. */
export const tooManyDecimals = (field: string, decimals: number): string =>
  decimals === 0
    ? `${field} must be a whole number.`
    : `${field} may have at most ${decimals} decimals.`

/** An amount of a request (major units) in minor units. Throws `invalid` when its currency has fewer decimals. */
export function givenMinor(amount: number, currency: string, field: string): number {
  if (!isInUnits(amount, currency))
    throw invalid(tooManyDecimals(field, decimalsOf(currency)), field)
  return toMinor(amount, currency)
}
