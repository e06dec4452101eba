/** The quantile of the numbers, e.g. 0.99 for p99; 0 of an empty list. */
export function quantile(numbers: number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export const median = (numbers: number[]) => quantile(numbers, 0.5)

/** The median of the ratios of the rounds: both sides of a round met the same machine. */
export const medianRatio = (ours: number[], others: number[]) =>
  median(ours.map((number, round) => number / (others[round] ?? Number.NaN)))
