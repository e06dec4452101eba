import { wordsIn } from '#app/products/model.ts'

/** A word as it is compared, without marks, and as it is written. */
export type ShownWord = { folded: string; shown: string }

/** The words of a text in lower case. */
export const shownWords = (text: string): ShownWord[] =>
  (
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).map((shown) => ({
    folded: wordsIn(shown).join(''),
    shown,
  }))

/** A function that writes words as the first of these texts does that has them. */
export function spellingOf(texts: string[]): (folded: string) => string {
  const spellings = new Map<string, string>()
  for (const { folded, shown } of texts.flatMap(shownWords))
    if (!spellings.has(folded)) spellings.set(folded, shown)
  return (folded) =>
    folded
      .split(' ')
      .map((word) => spellings.get(word) ?? word)
      .join(' ')
}
