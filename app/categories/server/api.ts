import { admin } from '#app/shared/server/actor/actor.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { setPagingHeaders, sliceOf } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import type { categoryAdminCalls } from '../admin-contract.ts'
import type { categoryCalls } from '../contract.ts'
import { addCategory, removeCategory, renameCategory } from './service.ts'
import { countNamed, selectCategories, selectCounted } from './store.ts'

type Dependencies = { db: Database }

export const categoryHandlers = ({ db }: Dependencies): Handlers<typeof categoryCalls> => ({
  async getCategories() {
    return { success: true, message: 'All categories', category: await selectCategories(db) }
  },
})

/** Messages as in spec §8. */
export const categoryAdminHandlers = ({
  db,
}: Dependencies): Handlers<typeof categoryAdminCalls> => ({
  async countCategories({ query: { page, q = '' }, request, reply }) {
    const text = q.trim()
    const [categories, total] = await Promise.all([
      selectCounted(db, text, sliceOf(page)),
      countNamed(db, text),
    ])
    setPagingHeaders(request, reply, { page, total })
    return categories
  },
  async createCategory({ body, caller }) {
    const category = await addCategory(db, admin(caller), body.name)
    return { success: true, message: `${category.name} is created`, category }
  },
  async updateCategory({ params: { id }, body: { name }, caller }) {
    const category = await renameCategory(db, admin(caller), id, name)
    return { success: true, message: `${category.name} is updated`, category }
  },
  async deleteCategory({ params, caller }) {
    await removeCategory(db, admin(caller), params.id)
    return { success: true, message: 'category is deleted' }
  },
})
