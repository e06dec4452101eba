const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** A deterministic random number generator. */
function randomSource(seed: number) {
  let state = seed * 7919 + 17
  return (sides: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % sides
  }
}

const EDITS = ['leave out', 'add', 'exchange', 'swap'] as const

function edited(word: string, edit: (typeof EDITS)[number], random: (sides: number) => number) {
  const letters = [...word]
  const at = random(letters.length)
  const letter = LETTERS[random(LETTERS.length)] ?? ''
  if (edit === 'leave out') letters.splice(at, 1)
  if (edit === 'add') letters.splice(at, 0, letter)
  if (edit === 'exchange') letters.splice(at, 1, letter)
  if (edit === 'swap') letters.splice(Math.min(at, letters.length - 2), 2, ...swapped(letters, at))
  return letters.join('')
}

function swapped(letters: string[], at: number) {
  const from = Math.min(at, letters.length - 2)
  return [letters[from + 1] ?? '', letters[from] ?? '']
}

/** Misspells each word of a name in each of four ways. */
export function misspellingsOf(name: string, seed: number): { name: string; word: string }[] {
  const random = randomSource(seed + 1)
  const folded = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  const words = (folded.match(/[a-z]+/g) ?? []).filter((word) => word.length > 2 && word !== 'the')
  return words.flatMap((word) => EDITS.map((edit) => ({ name, word: edited(word, edit, random) })))
}
