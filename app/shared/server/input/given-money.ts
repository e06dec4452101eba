/** Amounts of money in requests. */
import { decimalsOf, MAX_PRICE_MINOR, toMinor } from '#app/shared/model/minor-units.ts'
import { isInUnits } from '#app/shared/model/money-text.ts'
import { invalid } from '../failure.ts'
import { formatMinor } from '../money-text.ts'

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

/** Why a price of a request (major units) is refused in its currency; null when it is not. */
export function priceProblem(price: number, currency: string, field: string): string | null {
  if (!isInUnits(price, currency)) return tooManyDecimals(field, decimalsOf(currency))
  return Math.abs(toMinor(price, currency)) > MAX_PRICE_MINOR
    ? `${field} must be at most ${formatMinor(MAX_PRICE_MINOR, currency)}.`
    : null
}

/** A price, or a change of prices, of a request in minor units. Throws `invalid` for one that `priceProblem` refuses. */
export function givenPrice(price: number, currency: string, field: string): number {
  const problem = priceProblem(price, currency, field)
  if (problem !== null) throw invalid(problem, field)
  return toMinor(price, currency)
}
