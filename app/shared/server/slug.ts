import { createHash } from 'node:crypto'

const MAX_LENGTH = 80

/** Letters that Unicode does not decompose into a Latin letter and a mark. */
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

/** Truncates at a word boundary where there is one. */
function shorten(slug: string) {
  if (slug.length <= MAX_LENGTH) return slug
  const cut = slug.slice(0, MAX_LENGTH + 1)
  const end = cut.lastIndexOf('-')
  return cut.slice(0, end > MAX_LENGTH / 2 ? end : MAX_LENGTH)
}

const lettersOf = (text: string) => text.match(/\p{L}/gu)?.length ?? 0

/** Whether a slug has a word of the name, or the name has none: `2` tells nothing of 茶壺 2. */
const isTelling = (slug: string, name: string) =>
  slug !== '' && (lettersOf(slug) > 0 || lettersOf(name) === 0)

/**
 * Converts a name to a slug: lower-case ASCII words joined by hyphens, at most 80 characters, never
 * empty. A name of whose letters none are Latin gets a short hash. Different names may get the same
 * slug (`C++`, `C#`): the caller makes it unique.
 */
export function slugify(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ßæœøđðħıłþ]/g, (letter) => FOLDED[letter] ?? letter)
    .replace(/[\p{M}'’]/gu, '')
    .replace(/&/g, ' and ')
    .match(/[a-z0-9]+/g)
  const slug = words ? shorten(words.join('-')) : ''
  return isTelling(slug, name) ? slug : shortId(name)
}

/** How many numbers are tried before the id is appended. */
const NUMBERS = 20

/** Candidate slugs, best first. The last one contains the id, so it is always free. */
function* candidates(name: string, id: string) {
  const slug = slugify(name)
  yield slug
  for (let number = 2; number <= NUMBERS; number++) yield `${slug}-${number}`
  yield `${slug}-${id}`
}

/**
 * Claims the first free slug of a name: the name's own, then -2, -3, …. `claim` returns whether the
 * slug was free or belongs to the same object; the database decides between concurrent claims.
 */
export async function claimSlug(
  name: string,
  id: string,
  claim: (slug: string) => Promise<boolean>,
): Promise<string> {
  for (const slug of candidates(name, id)) if (await claim(slug)) return slug
  throw new Error(`There is no address left for ${id}.`)
}
