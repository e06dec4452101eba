import { type Insertable, sql } from 'kysely'
import type { Database, Schema } from '#db/schema.ts'

/** The values of a row; a missing one keeps the value of the product. */
export type Facts = {
  name?: string
  description?: string
  price_minor?: number
  quantity?: number
  /** If set, `quantity` is changed by the difference between the two. */
  quantity_read?: number
  /** The normalized name of the category. */
  category?: string
  shipping?: boolean
  /** Null when it is unknown. */
  weight_grams?: number | null
  /** Null: Standard. */
  tax_class_id?: string | null
  /** The current category id of a product that changes. */
  category_before?: string
}

/** A staged row of a file; a row with an `id` has something to write. */
export type StagedRow = Pick<
  Insertable<Schema['import_rows']>,
  'line' | 'product' | 'id' | 'slug' | 'seen_at'
> & { facts: Facts | null }

const rowsOf = (db: Database, file: string) =>
  db.selectFrom('import_rows').where('import_id', '=', file)

/** Stages checked rows of a file. */
export async function stageRows(db: Database, file: string, rows: StagedRow[]) {
  if (rows.length === 0) return
  const staged = rows.map(({ facts, ...row }) => ({
    ...row,
    import_id: file,
    facts: facts && JSON.stringify(facts),
  }))
  await db.insertInto('import_rows').values(staged).execute()
}

/** The staged lines of a file about these products. */
export async function selectLines(
  db: Database,
  file: string,
  products: string[],
): Promise<Map<string, number>> {
  if (products.length === 0) return new Map()
  const lines = await rowsOf(db, file)
    .where('product', 'in', products)
    .select(['product', 'line'])
    .execute()
  return new Map(lines.map(({ product, line }) => [product, line]))
}

/** The new products of a file without a slug, in the order of their lines. */
export const selectNameless = (db: Database, file: string, limit: number) =>
  rowsOf(db, file)
    .where('id', 'is not', null)
    .where('seen_at', 'is', null)
    .where('slug', 'is', null)
    .orderBy('line')
    .limit(limit)
    .select(['line', 'product', sql<string>`facts ->> 'name'`.as('name')])
    .execute()

/** The given slugs that a product has or had, or that the file assigns. */
export async function selectTaken(
  db: Database,
  file: string,
  slugs: string[],
): Promise<Set<string>> {
  const had = await db
    .selectFrom('product_slugs')
    .where('slug', 'in', slugs)
    .where('product_id', 'is not', null)
    .select('slug')
    .execute()
  const given = await rowsOf(db, file).where('slug', 'in', slugs).select('slug').execute()
  return new Set([...had, ...given].flatMap(({ slug }) => slug ?? []))
}

/** Stores the slugs of new products, by line. */
export const nameRows = (db: Database, file: string, named: { line: number; slug: string }[]) =>
  sql`
    update import_rows set slug = named.slug
    from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as named(line integer, slug text)
    where import_id = ${file} and import_rows.line = named.line`.execute(db)

/**
 * Deletes the staged rows of a file. The embedded database needs an explicit vacuum to free their
 * space.
 */
export async function forgetRows(db: Database, file: string) {
  await db.deleteFrom('import_rows').where('import_id', '=', file).execute()
  await sql`vacuum import_rows`.execute(db)
}

/** Deletes the rows of imports that began before this one: ids are UUIDv7, ordered by time. */
export const forgetRowsBefore = (db: Database, file: string) =>
  db.deleteFrom('import_rows').where('import_id', '<', file).execute()
