/** The tax of credit notes. Pure; amounts are integers in minor units. */
import { shareByLargestRemainder, sum } from '#app/shared/server/shares.ts'

/** A tax of an order by its rate: the amount without tax, null where it is not known, and the tax. */
export type RateTax = { basis_minor: number | null; amount_minor: number }

/**
 * The tax by rate that each of some credit notes of an order contains, in the order of the rates. An amount
 * is shared among the parts of the total that earlier ones have left: basis and tax of each rate, and what
 * is not taxed. So no credit note has less than nothing of a part, together they have at most the order's,
 * and all of it when the amounts are the total.
 */
export function creditedTaxes(
  { totalMinor, taxes }: { totalMinor: number; taxes: RateTax[] },
  amounts: number[],
): RateTax[][] {
  const taxed = taxes.flatMap(({ basis_minor, amount_minor }) => [basis_minor ?? 0, amount_minor])
  let left = [...taxed, Math.max(0, totalMinor - sum(taxed))]
  return amounts.map((amount) => {
    const shares = shareByLargestRemainder(amount, left)
    left = left.map((part, at) => part - (shares[at] ?? 0))
    return taxes.map(({ basis_minor }, at) => ({
      basis_minor: basis_minor === null ? null : (shares[2 * at] ?? 0),
      amount_minor: shares[2 * at + 1] ?? 0,
    }))
  })
}
