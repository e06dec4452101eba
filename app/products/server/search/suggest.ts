import { wordsIn } from '#app/products/search-contract.ts'
import type { Database } from '#db/schema.ts'
import { find, findNamed } from './find.ts'
import { type Named, selectCategoriesWith, selectNames } from './suggest-store.ts'
import { type Understood, understand } from './understand.ts'

const MOST_PRODUCTS = 5
const MOST_PHRASES = 4
const MOST_CATEGORIES = 2
/** Names that phrases are taken from. */
const MOST_READ = 40

const isTelling = (word: string | undefined) =>
  word !== undefined && word.length > 2 && !/\p{N}/u.test(word)

/** How the last word goes on in a name: to its end, and to the word behind it. */
function endings(name: string, beginning: string): string[] {
  const words = wordsIn(name)
  const at = words.findIndex((word) => word.startsWith(beginning))
  const [word, next] = [words[at], words[at + 1]]
  if (at < 0 || !isTelling(word)) return []
  return [word ?? '', ...(isTelling(next) ? [`${word} ${next}`] : [])]
}

/** What the typed words may become, judged by the names that have them: the frequent ones first. */
function phrasesOf({ typed, misspelt }: Understood, names: Named[]): string[] {
  const meant = new Map(misspelt.map((one) => [one.typed, one.meant[0]]))
  const words = typed.map((word) => meant.get(word) ?? word)
  const before = words.slice(0, -1)
  const counts = new Map<string, number>()
  for (const { name } of names)
    for (const ending of endings(name, words.at(-1) ?? '')) {
      const repeats = ending.split(' ').some((word) => before.includes(word))
      const phrase = [...before, ending].join(' ')
      if (!repeats && phrase !== typed.join(' ')) counts.set(phrase, (counts.get(phrase) ?? 0) + 1)
    }
  return [...counts]
    .sort(([a, often], [b, oftener]) => oftener - often || a.length - b.length)
    .slice(0, MOST_PHRASES)
    .map(([phrase]) => phrase)
}

/** Products whose names match; where no name does, the products that the search finds. */
async function findSuggested(db: Database, meant: Understood) {
  const { candidates } = await findNamed(db, meant)
  return candidates.length > 0 ? candidates : (await find(db, meant)).candidates
}

/** What a text may become that is being typed: phrases, products and categories, best first. */
export async function suggest(db: Database, text: string) {
  const meant = await understand(db, text)
  const candidates = await findSuggested(db, meant)
  const ids = candidates.slice(0, MOST_READ).map(({ id }) => id)
  const [names, categories] = await Promise.all([
    selectNames(db, ids),
    selectCategoriesWith(db, meant.typed, MOST_CATEGORIES),
  ])
  const phrases = phrasesOf(meant, names)
  return { phrases, products: names.slice(0, MOST_PRODUCTS), categories }
}
