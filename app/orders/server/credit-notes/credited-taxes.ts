/** The tax of credit notes. Pure; amounts are integers in minor units. */
import { shareByLargestRemainder, sum } from '#app/shared/server/shares.ts'

/** A tax of an order by its rate: the amount without tax, null where it is not known, and the tax. */
export type RateTax = { basis_minor: number | null; amount_minor: number }

/** What a credit note is of: an amount, of lines with these taxes by rate, or of the order as a whole. */
export type Credited = {
  amountMinor: number
  /** The amount of its lines, and their taxes in the order of the rates; null without lines. */
  lines: { amountMinor: number; taxes: RateTax[] } | null
}

/** An amount in parts: basis and tax of each rate, and what is not taxed. */
function partsOf(amountMinor: number, taxes: RateTax[]): number[] {
  const taxed = taxes.flatMap(({ basis_minor, amount_minor }) => [basis_minor ?? 0, amount_minor])
  return [...taxed, Math.max(0, amountMinor - sum(taxed))]
}

/** The parts of an amount: first those of its lines as far as they are left, then of what is left beside them. */
function sharesOf({ amountMinor, lines }: Credited, left: number[]): number[] {
  const wanted = lines ? partsOf(lines.amountMinor, lines.taxes) : left
  const own = left.map((part, at) => Math.min(part, wanted[at] ?? 0))
  const ofLines = shareByLargestRemainder(Math.min(amountMinor, sum(own)), own)
  const rest = left.map((part, at) => part - (ofLines[at] ?? 0))
  const others = shareByLargestRemainder(amountMinor - sum(ofLines), rest)
  return ofLines.map((part, at) => part + (others[at] ?? 0))
}

/**
 * The tax by rate that each of some credit notes of an order contains, in the order of the rates. An amount
 * is shared among the parts of the total that earlier ones have left: basis and tax of each rate, and what
 * is not taxed; of a credit note of lines first among theirs. So no credit note has less than nothing of a part,
 * together they have at most the order's, and all of it when the amounts are the total.
 */
export function creditedTaxes(
  { totalMinor, taxes }: { totalMinor: number; taxes: RateTax[] },
  notes: Credited[],
): RateTax[][] {
  let left = partsOf(totalMinor, taxes)
  return notes.map((note) => {
    const shares = sharesOf(note, left)
    left = left.map((part, at) => part - (shares[at] ?? 0))
    return taxes.map(({ basis_minor }, at) => ({
      basis_minor: basis_minor === null ? null : (shares[2 * at] ?? 0),
      amount_minor: shares[2 * at + 1] ?? 0,
    }))
  })
}
