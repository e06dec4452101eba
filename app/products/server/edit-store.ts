import { type Insertable, sql, type Updateable } from 'kysely'
import { changesRow, LATER } from '#app/shared/server/store.ts'
import type { Database, Schema } from '#db/schema.ts'
import { LISTED, type ListedRow } from './store.ts'

/** The foreign key of the category. */
export const NO_CATEGORY = 'products_category_id_fkey'

/** The foreign key of the tax class. */
export const NO_TAX_CLASS = 'products_tax_class_id_fkey'

export const selectEdition = (db: Database, id: string) =>
  db.selectFrom('products').select('updated_at').where('id', '=', id).executeTakeFirst()

/** Selects and locks a product until the transaction ends, so that no edit or sale changes it. */
export const lockProduct = (tx: Database, id: string) =>
  tx
    .selectFrom('products')
    .select(['id', 'name', 'slug', 'quantity', 'updated_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/**
 * Reserves a slug for the product permanently. False when another product has it; that of a deleted
 * one is free.
 */
export const claimProductSlug = (tx: Database, slug: string, id: string): Promise<boolean> =>
  changesRow(
    tx
      .insertInto('product_slugs')
      .values({ slug, product_id: id })
      .onConflict((taken) =>
        taken
          .column('slug')
          .doUpdateSet({ product_id: id })
          .where(sql<boolean>`coalesce(product_slugs.product_id, ${id}) = ${id}`),
      ),
  )

export const insertProduct = (
  tx: Database,
  product: Insertable<Schema['products']>,
): Promise<ListedRow> =>
  tx.insertInto('products').values(product).returning(LISTED).executeTakeFirstOrThrow()

type Changes = Omit<Updateable<Schema['products']>, 'id' | 'created_at' | 'updated_at'>

/**
 * Updates the given columns; `updated_at` always increases, however fast edits follow each other.
 */
export const updateProduct = (tx: Database, id: string, changes: Changes): Promise<ListedRow> =>
  tx
    .updateTable('products')
    .set({
      ...changes,
      updated_at: LATER,
    })
    .where('id', '=', id)
    .returning(LISTED)
    .executeTakeFirstOrThrow()

/** False when there was no such product. */
export const deleteProduct = (db: Database, id: string): Promise<boolean> =>
  changesRow(db.deleteFrom('products').where('id', '=', id))
