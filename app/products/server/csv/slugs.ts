import { conflict } from '#app/shared/server/failure.ts'
import { slugify } from '#app/shared/server/slug.ts'
import type { Database } from '#db/schema.ts'
import type { Addition } from './plan.ts'
import { claimProductSlugs, selectLines } from './store.ts'

/** How many times the new products of a batch try numbers before they take their ids for help. */
const ROUNDS = 20

export type Named = Addition & { id: string }

/** Of so many names it is remembered which number comes next; those used last, in a long file. */
const MOST_NAMES = 5000

const pairOf = (slug: string, id: string) => `${slug} ${id}`

async function claim(tx: Database, wanted: Named[]): Promise<Set<string>> {
  const claims = wanted.map(({ slug, id }) => ({ slug, product_id: id }))
  const made = claims.length > 0 ? await claimProductSlugs(tx, claims) : []
  return new Set(made.map(({ slug, product_id }) => pairOf(slug, product_id)))
}

/**
 * Makes what gives each new product of an import its address, many at a time: the one in the
 * file, or the first free one made of its name, which is never one that the file gives to another
 * (`file` is under what id its lines were noted). Throws `conflict` when somebody took one of the file's meanwhile.
 */
export function slugGiver(file: string) {
  const numbers = new Map<string, number>()
  const next = (base: string): string => {
    const number = (numbers.get(base) ?? 0) + 1
    numbers.delete(base)
    numbers.set(base, number)
    const [oldest = base] = numbers.keys()
    if (numbers.size > MOST_NAMES) numbers.delete(oldest)
    return number === 1 ? base : `${base}-${number}`
  }
  return async (tx: Database, additions: Named[]): Promise<Named[]> => {
    const given = additions.filter(({ slug }) => slug !== '')
    if ((await claim(tx, given)).size < given.length)
      throw conflict('The catalogue was changed meanwhile. Please import again.')
    const placed = new Map(given.map((product) => [product.id, product]))
    for (let round = 1; placed.size < additions.length; round++) {
      const open = additions.filter(({ id }) => !placed.has(id))
      const wanted = open.map((product) => {
        const base = slugify(product.name)
        return { ...product, slug: round > ROUNDS ? `${base}-${product.id}` : next(base) }
      })
      const reserved = await selectLines(
        tx,
        file,
        wanted.map(({ slug }) => slug),
      )
      const made = await claim(
        tx,
        wanted.filter(({ slug }) => !reserved.has(slug)),
      )
      for (const one of wanted) if (made.has(pairOf(one.slug, one.id))) placed.set(one.id, one)
    }
    return additions.map((product) => placed.get(product.id) ?? product)
  }
}
