import { LOOKS, MATERIALS, THINGS } from '#bench/seed/words.ts'

/** The number of words of a catalogue. */
const VOCABULARY = 20_000
/** Zipf's law as Mandelbrot put it: the word of rank r is as frequent as 1 / (r + SHIFT). */
const SHIFT = 10

const THING_NAMES = THINGS.map(([thing]) => thing)
const KNOWN = LOOKS.flatMap((look, at) => [
  look,
  MATERIALS[at] ?? '',
  THING_NAMES[at] ?? '',
]).filter(Boolean)

const ONSETS = [
  'b',
  'br',
  'ch',
  'd',
  'f',
  'gl',
  'h',
  'k',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  'st',
  't',
  'v',
]
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'ou']
const ENDS = ['l', 'n', 'r', 'm', 'nd', 'sk', 'rt', 't']

/** An invented word, another one for each number. */
function invent(number: number): string {
  let rest = number
  const take = (parts: string[]) => {
    const part = parts[rest % parts.length] ?? ''
    rest = Math.floor(rest / parts.length)
    return part
  }
  let word = take(ONSETS) + take(VOWELS)
  do word += take(ONSETS) + take(VOWELS)
  while (rest > 0)
  const end = ENDS[number % ENDS.length] ?? ''
  return word[0]?.toUpperCase() + word.slice(1) + end
}

/** The most frequent words first. */
export const WORDS = [
  ...KNOWN,
  ...Array.from({ length: VOCABULARY - KNOWN.length }, (_, number) => invent(number)),
]

/** The word for a random number from 0 to 1, with the frequencies of a language. */
export function wordBy(chance: number): string {
  const rank = Math.floor(SHIFT * ((WORDS.length + SHIFT) / SHIFT) ** chance - SHIFT)
  return WORDS[Math.min(rank, WORDS.length - 1)] ?? ''
}
