import type { categoryAdminCalls } from '#app/categories/admin-contract.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import { presentCategory } from '../presenter.ts'
import { addCategory, removeCategory, renameCategory } from '../service.ts'

/** Messages as in spec §8. */
export const categoryAdminHandlers = ({
  db,
}: {
  db: Database
}): Handlers<typeof categoryAdminCalls> => ({
  async createCategory({ body, caller }) {
    const category = presentCategory(await addCategory(db, admin(caller), body.name))
    return { success: true, message: `${category.name} is created`, category }
  },
  async updateCategory({ params: { id }, body: { name }, caller }) {
    const category = presentCategory(await renameCategory(db, admin(caller), { id, name }))
    return { success: true, message: `${category.name} is updated`, category }
  },
  async deleteCategory({ params, caller }) {
    await removeCategory(db, admin(caller), params.id)
    return { success: true, message: 'category is deleted' }
  },
})
