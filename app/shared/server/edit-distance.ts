/**
 * Damerau-Levenshtein distance (optimal string alignment): the number of insertions, deletions,
 * substitutions and swaps of neighbours between two texts.
 */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1]
      let min = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
      )
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) min = Math.min(min, (beforeLast[j - 2] ?? 0) + 1)
      row.push(min)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
