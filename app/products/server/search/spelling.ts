/** Letters of a word that misspellings are looked for in: as `misspellings` in the database. */
const LOOKED_AT = 7

/** The words that are left of a word when one of its letters is left out. */
function without(word: string): string[] {
  // a letter may take two places of a string
  const letters = [...word]
  return letters.map((_, at) => letters.toSpliced(at, 1).join(''))
}

/**
 * What a word may have in common with the one that was meant: its beginning, and what is left of
 * that without `most` letters or fewer. The database keeps the same of each word it knows.
 */
export function remainsOf(word: string, most: 1 | 2): string[] {
  const letters = [...word].slice(0, LOOKED_AT)
  const beginning = letters.join('')
  const once = letters.length > 2 ? without(beginning) : []
  const twice = most === 2 ? once.flatMap(without) : []
  return [...new Set([beginning, ...once, ...twice])]
}

/**
 * How many letters were added, left out, exchanged for another or swapped with their neighbour
 * between two words.
 */
export function distance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1]
      let least = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
      )
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1)
      row.push(least)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}

type Candidate = { word: string; in_names: number; in_all: number }

/**
 * Those of the candidates that are at most so far from a word, best first: the nearest, then those
 * that begin with the same letter, then those that stand in names, then the frequent ones.
 */
export function closest<C extends Candidate>(word: string, candidates: C[], farthest: number): C[] {
  return candidates
    .map((candidate) => ({ candidate, far: distance(word, candidate.word) }))
    .filter(({ far }) => far <= farthest)
    .sort(
      (a, b) =>
        a.far - b.far ||
        Number(b.candidate.word[0] === word[0]) - Number(a.candidate.word[0] === word[0]) ||
        Number(b.candidate.in_names > 0) - Number(a.candidate.in_names > 0) ||
        b.candidate.in_all - a.candidate.in_all ||
        (a.candidate.word < b.candidate.word ? -1 : 1),
    )
    .map(({ candidate }) => candidate)
}
