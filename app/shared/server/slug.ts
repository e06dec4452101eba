import { createHash } from 'node:crypto'

const LONGEST = 80

/** Letters that Unicode does not take apart into a Latin letter and a mark. */
const FOLDED: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  þ: 'th',
}

const shortId = (name: string) => createHash('sha256').update(name).digest('hex').slice(0, 8)

/** Cuts after a word where there is one. */
function shorten(slug: string) {
  if (slug.length <= LONGEST) return slug
  const cut = slug.slice(0, LONGEST + 1)
  const end = cut.lastIndexOf('-')
  return cut.slice(0, end > LONGEST / 2 ? end : LONGEST)
}

/**
 * A name as it stands in addresses: lower-case ASCII words joined by hyphens, at most 80
 * characters, never empty. Names without a Latin letter or digit get a short id made of the name.
 * Different names may get the same slug (`C++`, `C#`): whoever stores it makes it unique.
 */
export function slugify(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ßæœøđðħıłþ]/g, (letter) => FOLDED[letter] ?? letter)
    .replace(/[\p{M}'’]/gu, '')
    .replace(/&/g, ' and ')
    .match(/[a-z0-9]+/g)
  return words ? shorten(words.join('-')) : shortId(name)
}

/** How many numbers an address tries before it takes its thing's id for help. */
const NUMBERS = 20

/** The addresses a thing may get, the best first. The last is nobody else's. */
function* candidates(name: string, id: string) {
  const slug = slugify(name)
  yield slug
  for (let number = 2; number <= NUMBERS; number++) yield `${slug}-${number}`
  yield `${slug}-${id}`
}

/**
 * The first address made of a name that `claim` gets for the thing with this id: the name's own,
 * then -2, -3, …. `claim` says whether the address was free, or the thing's already; the database
 * decides, so that of two that want the same at once each gets one.
 */
export async function claimSlug(
  name: string,
  id: string,
  claim: (slug: string) => Promise<boolean>,
): Promise<string> {
  for (const slug of candidates(name, id)) if (await claim(slug)) return slug
  throw new Error(`There is no address left for ${id}.`)
}
