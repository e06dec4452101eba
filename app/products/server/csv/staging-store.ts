import { type Insertable, sql } from 'kysely'
import type { Database, Schema } from '#db/schema.ts'

/** What a row gives; what it has no cell for, the product keeps. */
export type Facts = {
  name?: string
  description?: string
  price_minor?: number
  quantity?: number
  /** With it, `quantity` means the difference between the two. */
  quantity_read?: number
  /** The category's name as it is compared. */
  category?: string
  shipping?: boolean
  /** The id of the category of a product that changes. */
  category_before?: string
}

/** A row of a file as it is kept until all are written; `id` says that there is something to write. */
export type StagedRow = Pick<
  Insertable<Schema['import_rows']>,
  'line' | 'product' | 'id' | 'slug' | 'seen_at'
> & { facts: Facts | null }

const rowsOf = (db: Database, file: string) =>
  db.selectFrom('import_rows').where('import_id', '=', file)

/** Keeps checked rows of a file. */
export async function stageRows(db: Database, file: string, rows: StagedRow[]) {
  if (rows.length === 0) return
  const staged = rows.map(({ facts, ...row }) => ({
    ...row,
    import_id: file,
    facts: facts && JSON.stringify(facts),
  }))
  await db.insertInto('import_rows').values(staged).execute()
}

/** The lines of a file that are about these products, where there are such. */
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

/** The new products of a file that have no address yet, in the order of their lines. */
export const selectNameless = (db: Database, file: string, limit: number) =>
  rowsOf(db, file)
    .where('id', 'is not', null)
    .where('seen_at', 'is', null)
    .where('slug', 'is', null)
    .orderBy('line')
    .limit(limit)
    .select(['line', 'product', sql<string>`facts ->> 'name'`.as('name')])
    .execute()

/** Which of these addresses a product has or had, or the file gives to one. */
export async function selectTaken(
  db: Database,
  file: string,
  slugs: string[],
): Promise<Set<string>> {
  const [had, given] = [
    await db.selectFrom('product_slugs').where('slug', 'in', slugs).select('slug').execute(),
    await rowsOf(db, file).where('slug', 'in', slugs).select('slug').execute(),
  ]
  return new Set([...had, ...given].flatMap(({ slug }) => slug ?? []))
}

/** Notes the addresses of new products, by their lines. */
export const nameRows = (db: Database, file: string, named: { line: number; slug: string }[]) =>
  sql`
    update import_rows set slug = named.slug
    from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as named(line integer, slug text)
    where import_id = ${file} and import_rows.line = named.line`.execute(db)

/** Forgets the rows of a file. The embedded database gives room back only when it is told to. */
export async function forgetRows(db: Database, file: string) {
  await db.deleteFrom('import_rows').where('import_id', '=', file).execute()
  await sql`vacuum import_rows`.execute(db)
}

/** Those of imports that began before the one of this id: ids are UUIDv7, ordered by time. */
export const forgetRowsBefore = (db: Database, file: string) =>
  db.deleteFrom('import_rows').where('import_id', '<', file).execute()
