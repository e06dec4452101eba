/**
 * Categories: names are unique, slugs are never reassigned, and a category with products cannot be
 * deleted.
 */
import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { publishChanges } from '#app/shared/server/cache/change-feed-store.ts'
import { isForeignKeyViolation, isUniqueViolation } from '#app/shared/server/database-errors.ts'
import { conflict, notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { claimSlug, slugify } from '#app/shared/server/slug.ts'
import type { Database } from '#db/schema.ts'
import { CATEGORIES_TAG, type Category } from '../contract.ts'
import {
  claimCategorySlug,
  countProductsOf,
  deleteCategory,
  HAS_PRODUCTS,
  insertCategory,
  lockCategory,
  NAME_TAKEN,
  updateCategory,
} from './store.ts'

/** How long cached menus may be served stale after a change of the categories. */
const STALE_MS = 10_000

const publish = (tx: Database) => publishChanges(tx, [{ tag: CATEGORIES_TAG, stale_ms: STALE_MS }])

const noSuchCategory = () => notFound('There is no such category.')

/** The normalized name for comparison: trimmed, case-folded (ß is ss), runs of blanks collapsed. */
export const categoryKey = (name: string) =>
  name.normalize('NFC').trim().replace(/\s+/g, ' ').toUpperCase().toLowerCase()

const rethrowNameTaken = (name: string) => (error: unknown) => {
  if (!isUniqueViolation(error, NAME_TAKEN)) throw error
  throw conflict(`A category named ${name} already exists.`, 'name')
}

/** Creates a category. Throws `conflict` when the normalized name exists. */
export async function addCategory(db: Database, actor: Actor, given: string): Promise<Category> {
  const id = uuidv7()
  const name = given.trim()
  return inTransaction(db, actor, async (tx) => {
    const slug = await claimSlug(name, id, (slug) => claimCategorySlug(tx, slug, id))
    const category = await insertCategory(tx, { id, name, name_key: categoryKey(name), slug })
    await publish(tx)
    return category
  }).catch(rethrowNameTaken(name))
}

/**
 * Renames a category and changes its slug; former slugs keep answering. Throws `not_found`, or
 * `conflict` when another category has the name.
 */
export async function renameCategory(db: Database, actor: Actor, id: string, given: string) {
  const name = given.trim()
  return inTransaction(db, actor, async (tx) => {
    const before = await lockCategory(tx, id)
    if (!before) throw noSuchCategory()
    const slug =
      slugify(name) === slugify(before.name)
        ? before.slug
        : await claimSlug(name, before._id, (slug) => claimCategorySlug(tx, slug, before._id))
    const category = await updateCategory(tx, { id, name, name_key: categoryKey(name), slug })
    await publish(tx)
    return category
  }).catch(rethrowNameTaken(name))
}

/** Deletes a category. Throws `not_found`, or `conflict` with the number of its products. */
export async function removeCategory(db: Database, actor: Actor, id: string): Promise<void> {
  try {
    await inTransaction(db, actor, async (tx) => {
      if (!(await deleteCategory(tx, id))) throw noSuchCategory()
      await publish(tx)
    })
  } catch (error) {
    if (!isForeignKeyViolation(error, HAS_PRODUCTS)) throw error
    const count = await countProductsOf(db, id)
    const products = count === 1 ? '1 product' : `${count} products`
    throw conflict(`This category has ${products}. Move or delete them first.`)
  }
}
