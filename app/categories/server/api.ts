import { sorterOf } from '#app/settings/server/sorter.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { setPagingHeaders, sliceOf } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import type { categoryAdminCalls } from '../admin-contract.ts'
import type { categoryCalls } from '../contract.ts'
import { addCategory, removeCategory, renameCategory } from './service.ts'
import { selectCategories, selectCounted, selectNamed } from './store.ts'

type Dependencies = { db: Database }

export const categoryHandlers = ({ db }: Dependencies): Handlers<typeof categoryCalls> => ({
  async getCategories() {
    const [sort, categories] = await Promise.all([sorterOf(db), selectCategories(db)])
    return { success: true, message: 'All categories', category: sort(categories) }
  },
})

/** Messages as in spec §8. */
export const categoryAdminHandlers = ({
  db,
}: Dependencies): Handlers<typeof categoryAdminCalls> => ({
  async countCategories({ query: { page, q = '' }, request, reply }) {
    const [sort, named] = await Promise.all([sorterOf(db), selectNamed(db, q.trim())])
    const { limit, offset } = sliceOf(page)
    const ids = sort(named).slice(offset, offset + limit)
    setPagingHeaders(request, reply, { page, total: named.length })
    return sort(
      await selectCounted(
        db,
        ids.map(({ id }) => id),
      ),
    )
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
