import type { Database } from '#db/schema.ts'

/** Every category, by name as people sort: without regard to case. */
export const selectCategories = (db: Database) =>
  db
    .selectFrom('categories')
    .select(['id', 'name', 'slug'])
    .orderBy('name_key')
    .orderBy('id')
    .execute()
