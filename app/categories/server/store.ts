import { type Insertable, sql } from 'kysely'
import type { AuditedRows } from '#app/shared/server/domain-module.ts'
import {
  anyOf,
  auditedColumn,
  changesRow,
  containing,
  countRows,
} from '#app/shared/server/store.ts'
import type { Database, Schema } from '#db/schema.ts'

/** The unique constraint on the name. */
export const NAME_TAKEN = 'categories_name_key_key'
/** The foreign key of products. */
export const HAS_PRODUCTS = 'products_category_id_fkey'

/** A category as the API returns it. */
const SHOWN = ['id as _id', 'name', 'slug'] as const

/** All categories. */
export const selectCategories = (db: Database) =>
  db.selectFrom('categories').select(SHOWN).orderBy('id').execute()

const named = (db: Database, text: string) =>
  db
    .selectFrom('categories')
    .$if(text !== '', (all) => all.where(sql`folded(name)`, 'like', containing(text)))

/** The categories whose names contain the text. */
export const selectNamed = (db: Database, text: string) =>
  named(db, text).select(['id', 'name']).orderBy('id').execute()

/** Some categories with their numbers of products. */
export const selectCounted = (db: Database, ids: string[]) =>
  db
    .selectFrom('categories')
    .where('id', '=', anyOf(ids))
    .select(SHOWN)
    .select(({ selectFrom }) =>
      selectFrom('products')
        .whereRef('category_id', '=', 'categories.id')
        .select(sql<number>`count(*)::integer`.as('products'))
        .$asScalar()
        .$notNull()
        .as('products'),
    )
    .execute()

/** Selects and locks a category until the transaction ends. */
export const lockCategory = (tx: Database, id: string) =>
  tx.selectFrom('categories').select(SHOWN).where('id', '=', id).forUpdate().executeTakeFirst()

/** Reserves a slug for the category permanently. False when another category has it. */
export const claimCategorySlug = (tx: Database, slug: string, id: string): Promise<boolean> =>
  changesRow(
    tx
      .insertInto('category_slugs')
      .values({ slug, category_id: id })
      .onConflict((taken) =>
        taken.column('slug').doUpdateSet({ slug }).where('category_slugs.category_id', '=', id),
      ),
  )

export const insertCategory = (tx: Database, category: Insertable<Schema['categories']>) =>
  tx.insertInto('categories').values(category).returning(SHOWN).executeTakeFirstOrThrow()

export const updateCategory = (tx: Database, { id, ...named }: Insertable<Schema['categories']>) =>
  tx
    .updateTable('categories')
    .set(named)
    .where('id', '=', id)
    .returning(SHOWN)
    .executeTakeFirstOrThrow()

/** False when there was no such category. */
export const deleteCategory = (db: Database, id: string): Promise<boolean> =>
  changesRow(db.deleteFrom('categories').where('id', '=', id))

/** The number of products in the category. */
export const countProductsOf = (db: Database, id: string): Promise<number> =>
  countRows(db.selectFrom('products').where('category_id', '=', id))

/** The names of categories in the history. */
export const AUDITED_CATEGORIES: AuditedRows = { categories: { name: auditedColumn('categories') } }
