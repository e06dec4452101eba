import { slugify } from '#app/shared/server/slug.ts'
import type { Database } from '#db/schema.ts'
import { nameRows, selectNameless, selectTaken } from './staging-store.ts'

/** How many numbers are tried for the new products of a batch before their ids are appended. */
const ROUNDS = 20

/** Products named at a time. */
const BATCH = 500

/** For how many names the next number is remembered (least recently used first out). */
const MOST_NAMES = 5000

type Nameless = Awaited<ReturnType<typeof selectNameless>>[number]
type Named = { line: number; slug: string }

/** Counts numbers per name. */
function numbering() {
  const numbers = new Map<string, number>()
  return (base: string): string => {
    const number = (numbers.get(base) ?? 0) + 1
    numbers.delete(base)
    numbers.set(base, number)
    const [oldest = base] = numbers.keys()
    if (numbers.size > MOST_NAMES) numbers.delete(oldest)
    return number === 1 ? base : `${base}-${number}`
  }
}

async function nameBatch(
  db: Database,
  file: string,
  { nameless, next }: { nameless: Nameless[]; next: (base: string) => string },
) {
  const named = new Map<string, Named>()
  let open = nameless
  for (let round = 1; open.length > 0; round++) {
    const wanted = open.map(({ line, product, name }) => {
      const base = slugify(name)
      return { line, slug: round > ROUNDS ? `${base}-${product}` : next(base) }
    })
    const slugs = wanted.map(({ slug }) => slug)
    const taken = await selectTaken(db, file, slugs)
    for (const one of wanted)
      if (!taken.has(one.slug) && !named.has(one.slug)) named.set(one.slug, one)
    const placed = new Set([...named.values()].map(({ line }) => line))
    open = open.filter(({ line }) => !placed.has(line))
  }
  await nameRows(db, file, [...named.values()])
}

/**
 * Chooses the slugs of a file's new products: the first free one of each name that the file does
 * not give to another product. The database decides at the time of writing whether it is still
 * free.
 */
export async function nameProducts(db: Database, file: string): Promise<void> {
  const next = numbering()
  for (;;) {
    const nameless = await selectNameless(db, file, BATCH)
    if (nameless.length === 0) return
    await nameBatch(db, file, { nameless, next })
  }
}
