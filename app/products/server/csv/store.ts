import { sql } from 'kysely'
import type { Database, Row } from '#db/schema.ts'

/** The products after the one of this id, oldest first; the first ones after null. */
export const selectProductsAfter = (db: Database, id: string | null, limit: number) =>
  db
    .selectFrom('products')
    .innerJoin('categories', 'categories.id', 'products.category_id')
    .$if(id !== null, (rest) => rest.where('products.id', '>', id))
    .orderBy('products.id')
    .limit(limit)
    .select([
      'products.id',
      'products.slug',
      'products.name',
      'products.description',
      'products.price_minor',
      'products.quantity',
      'products.shipping',
      'categories.name as category',
    ])
    .execute()

const FACTS = [
  ...(['products.id', 'products.name', 'products.description', 'products.price_minor'] as const),
  ...(['products.quantity', 'products.category_id', 'products.shipping'] as const),
] as const

/** A product with what an import may change. */
export type Listed = Pick<
  Row<'products'>,
  'id' | 'name' | 'description' | 'price_minor' | 'quantity' | 'category_id' | 'shipping'
>

/** The products that have these addresses, or ever had them. */
export async function selectProductsBySlugs(db: Database, slugs: string[]) {
  if (slugs.length === 0) return []
  return db
    .selectFrom('product_slugs')
    .innerJoin('products', 'products.id', 'product_slugs.product_id')
    .where('product_slugs.slug', 'in', slugs)
    .select(['product_slugs.slug as asked', ...FACTS])
    .execute()
}

export const selectCategoryKeys = (db: Database) =>
  db.selectFrom('categories').select(['id', 'name_key']).execute()

/**
 * Nobody else writes products until the transaction ends: a sale waits, instead of running into
 * the import's locks one by one, in an order of its own.
 */
export const lockProducts = (tx: Database) =>
  sql`lock table products in share row exclusive mode`.execute(tx)

type Line = { product: string; line: number }

/** Notes which line of a file has which products, each for the first one that has it. */
export async function noteLines(db: Database, file: string, lines: Line[]) {
  if (lines.length === 0) return
  const rows = lines.map((line) => ({ import_id: file, ...line }))
  await db
    .insertInto('import_lines')
    .values(rows)
    .onConflict((known) => known.doNothing())
    .execute()
}

/** The first line of a file that has each of these products, where one was noted. */
export async function selectLines(
  db: Database,
  file: string,
  products: string[],
): Promise<Map<string, number>> {
  if (products.length === 0) return new Map()
  const lines = await db
    .selectFrom('import_lines')
    .where('import_id', '=', file)
    .where('product', 'in', products)
    .select(['product', 'line'])
    .execute()
  return new Map(lines.map(({ product, line }) => [product, line]))
}

export const deleteLines = (db: Database, file: string) =>
  db.deleteFrom('import_lines').where('import_id', '=', file).execute()

/** Of imports that began before the one of this id: ids are UUIDv7, so their order is that of time. */
export const deleteLinesBefore = (db: Database, file: string) =>
  db.deleteFrom('import_lines').where('import_id', '<', file).execute()

/** Makes addresses the products', as far as they are free; answers those it made. */
export const claimProductSlugs = (tx: Database, claims: Row<'product_slugs'>[]) =>
  tx
    .insertInto('product_slugs')
    .values(claims)
    .onConflict((taken) => taken.doNothing())
    .returning(['slug', 'product_id'])
    .execute()

export const insertProducts = (tx: Database, products: (Listed & { slug: string })[]) =>
  tx.insertInto('products').values(products).execute()

/** Changes many products by one statement; the time of the edit moves on, as with every edit. */
export const updateProducts = (tx: Database, products: Listed[]) =>
  sql`
    update products set
      name = edited.name, description = edited.description, price_minor = edited.price_minor,
      quantity = edited.quantity, category_id = edited.category_id, shipping = edited.shipping,
      updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond')
    from jsonb_to_recordset(${JSON.stringify(products)}::jsonb) as edited(
      id uuid, name text, description text, price_minor integer, quantity integer,
      category_id uuid, shipping boolean)
    where products.id = edited.id`.execute(tx)
