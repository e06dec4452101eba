import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import type { categoryCalls } from '../contract.ts'
import { presentCategory } from './presenter.ts'
import { selectCategories } from './store.ts'

export const categoryHandlers = ({ db }: { db: Database }): Handlers<typeof categoryCalls> => ({
  async getCategories() {
    const categories = await selectCategories(db)
    return { success: true, message: 'All categories', category: categories.map(presentCategory) }
  },
})
