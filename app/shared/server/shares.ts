/** Amounts shared without a remainder. Pure; amounts are integers in minor units. */

export const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)

/**
 * Shares an amount in proportion to the weights, by largest remainder: the shares are integers and add
 * up to the amount. No share is larger than its weight as long as the amount is not larger than their
 * sum. Without any weight there is nothing to share.
 */
export function shareByLargestRemainder(amount: number, weights: number[]): number[] {
  const total = BigInt(sum(weights))
  if (total === 0n) return weights.map(() => 0)
  // the products exceed what a double holds exactly
  const parts = weights.map((weight, at) => {
    const product = BigInt(amount) * BigInt(weight)
    return { at, share: Number(product / total), remainder: product % total }
  })
  const missing = amount - sum(parts.map(({ share }) => share))
  const byRemainder = parts.toSorted((a, b) => Number(b.remainder - a.remainder) || a.at - b.at)
  for (const part of byRemainder.slice(0, missing)) part.share += 1
  return parts.map(({ share }) => share)
}
