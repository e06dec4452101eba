import { admin } from '#app/shared/server/actor/actor.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database, Row } from '#db/schema.ts'
import type { categoryAdminCalls } from '../admin-contract.ts'
import type { Category, categoryCalls } from '../contract.ts'
import { addCategory, removeCategory, renameCategory } from './service.ts'
import { selectCategories } from './store.ts'

type Shown = Pick<Row<'categories'>, 'id' | 'name' | 'slug'>

const present = ({ id, name, slug }: Shown): Category => ({ _id: id, name, slug })

export const categoryHandlers = ({ db }: { db: Database }): Handlers<typeof categoryCalls> => ({
  async getCategories() {
    const categories = await selectCategories(db)
    return { success: true, message: 'All categories', category: categories.map(present) }
  },
})

/** The messages are the specification's (spec §8). */
export const categoryAdminHandlers = ({
  db,
}: {
  db: Database
}): Handlers<typeof categoryAdminCalls> => ({
  async createCategory({ body, caller }) {
    const category = present(await addCategory(db, admin(caller), body.name))
    return { success: true, message: `${category.name} is created`, category }
  },
  async updateCategory({ params: { id }, body: { name }, caller }) {
    const category = present(await renameCategory(db, admin(caller), { id, name }))
    return { success: true, message: `${category.name} is updated`, category }
  },
  async deleteCategory({ params, caller }) {
    await removeCategory(db, admin(caller), params.id)
    return { success: true, message: 'category is deleted' }
  },
})
