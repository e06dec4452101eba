import { LRUCache } from 'lru-cache'
import { slugify } from '#app/shared/server/slug.ts'
import type { Database } from '#db/schema.ts'
import { selectTakenSlugs } from './store.ts'

/** How many numbers are tried for the new products of a batch before their ids are appended. */
const ROUNDS = 20

/** For how many names the next number is remembered. */
const MAX_NAMES = 5000

/**
 * Returns a function that chooses the slugs of a file's new products, batch by batch, by their ids: the first
 * free one of each name that the file does not give to another product (`isGiven`). The database decides when
 * it is claimed whether it is still free.
 */
export function slugChooser(tx: Database, isGiven: (slug: string) => boolean) {
  const numbers = new LRUCache<string, number>({ max: MAX_NAMES })
  const next = (base: string) => {
    const number = (numbers.get(base) ?? 0) + 1
    numbers.set(base, number)
    return number === 1 ? base : `${base}-${number}`
  }
  return async (products: { id: string; name: string }[]): Promise<Map<string, string>> => {
    const chosen = new Map<string, string>()
    let open = products
    for (let round = 1; open.length > 0; round++) {
      const wanted = open.map(({ id, name }) => {
        const base = slugify(name)
        return { id, name, slug: round > ROUNDS ? `${base}-${id}` : next(base) }
      })
      const taken = await selectTakenSlugs(
        tx,
        wanted.map(({ slug }) => slug),
      )
      const used = new Set(chosen.values())
      open = wanted.filter(({ id, slug }) => {
        if (taken.has(slug) || isGiven(slug) || used.has(slug)) return true
        used.add(slug)
        chosen.set(id, slug)
        return false
      })
    }
    return chosen
  }
}
