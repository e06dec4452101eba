/** The number that this share of them does not exceed, e.g. 0.99 for p99; 0 of none. */
export function quantile(numbers: number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export const median = (numbers: number[]) => quantile(numbers, 0.5)

/** What is typical of both, round by round: the machine was the same for the two of a round. */
export const medianRatio = (ours: number[], others: number[]) =>
  median(ours.map((number, round) => number / (others[round] ?? Number.NaN)))
