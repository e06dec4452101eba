import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import { inOrderOf } from '../store.ts'

export type Named = { name: string; slug: string; price_minor: number }

/** The products with these ids, in their order, with the columns of a suggestion. */
export async function selectNames(db: Database, ids: string[]): Promise<Named[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('products')
    .select(['id', 'name', 'slug', 'price_minor'])
    .where('id', 'in', ids)
    .execute()
  return inOrderOf(ids, rows)
}

/** Categories whose names contain a word beginning with each of the words. */
export async function selectCategoriesWith(db: Database, words: string[], limit: number) {
  if (words.length === 0) return []
  const begun = words.map((word) => sql<boolean>`folded(name) ~ ${`\\m${word}`}`)
  return db
    .selectFrom('categories')
    .select(['id', 'name', 'slug'])
    .where(sql<boolean>`${sql.join(begun, sql` and `)}`)
    .orderBy('name')
    .limit(limit)
    .execute()
}

/** The categories of these ids, by name. */
export const selectCategories = async (db: Database, ids: string[]) =>
  ids.length === 0
    ? []
    : await db
        .selectFrom('categories')
        .select(['id', 'name', 'slug'])
        .where('id', 'in', ids)
        .orderBy('name')
        .execute()
