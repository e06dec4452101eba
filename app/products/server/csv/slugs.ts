import { slugify } from '#app/shared/server/slug.ts'
import type { Database } from '#db/schema.ts'
import { nameRows, selectNameless, selectTaken } from './staging-store.ts'

/** How many times the new products of a batch try numbers before they take their ids for help. */
const ROUNDS = 20

/** Products named at a time. */
const BATCH = 500

/** Of so many names it is remembered which number comes next; those used last, in a long file. */
const MOST_NAMES = 5000

type Nameless = Awaited<ReturnType<typeof selectNameless>>[number]
type Named = { line: number; slug: string }

/** Counts on for each name. */
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
 * Finds each new product of a file that has none its address: the first free one made of its
 * name, which is never one that the file gives to another. Whether it is still free when it is
 * written, the database decides.
 */
export async function nameProducts(db: Database, file: string): Promise<void> {
  const next = numbering()
  for (;;) {
    const nameless = await selectNameless(db, file, BATCH)
    if (nameless.length === 0) return
    await nameBatch(db, file, { nameless, next })
  }
}
