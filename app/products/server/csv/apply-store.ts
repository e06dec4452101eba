/**
 * Writes the staged rows of a file. Rows are locked in one order: categories, products, slugs,
 * stock.
 */
import { sql } from 'kysely'
import { MAX_QUANTITY } from '#app/products/admin-contract.ts'
import { acquireLock, LOCKS } from '#db/locks.ts'
import type { Database } from '#db/schema.ts'

const GIVEN = sql`jsonb_to_record(import_rows.facts) as given(
  name text, description text, price_minor integer, quantity integer, quantity_read integer,
  category text, shipping boolean, weight_grams integer,
  tax_class_id uuid)`

/** The new quantity of an updated product. */
const PIECES = sql`case
  when given.quantity is null then products.quantity
  when given.quantity_read is null then given.quantity
  else products.quantity + given.quantity - given.quantity_read end`

/** One import writes at a time. */
export const lockImports = (tx: Database) => acquireLock(tx, LOCKS.productImport)

/**
 * Locks the categories of the rows until the transaction ends, so that they are not renamed or
 * deleted.
 */
export const lockCategories = (tx: Database, file: string) =>
  sql`
    select id from categories
    where name_key in (select facts ->> 'category' from import_rows where import_id = ${file})
    order by id for key share`.execute(tx)

/** The number of products that the rows add and change. */
export async function countStaged(tx: Database, file: string) {
  const { added, changed } = await tx
    .selectFrom('import_rows')
    .where('import_id', '=', file)
    .where('id', 'is not', null)
    .select([
      sql<number>`count(*) filter (where seen_at is null)::integer`.as('added'),
      sql<number>`count(seen_at)::integer`.as('changed'),
    ])
    .executeTakeFirstOrThrow()
  return { added, changed }
}

/**
 * Locks the products that change until the transaction ends. Returns how many of them are unchanged
 * since the check and have enough pieces for their rows.
 */
export async function lockProducts(tx: Database, file: string): Promise<number> {
  const { rows } = await sql<{ ready: number }>`
    select count(*)::integer as ready
    from (
      select products.updated_at = import_rows.seen_at as is_fresh, ${PIECES} as pieces
      from import_rows cross join lateral ${GIVEN} join products on products.id = import_rows.id
      where import_id = ${file} and seen_at is not null
      order by products.id for no key update of products
    ) as locked
    where is_fresh and pieces between 0 and ${sql.lit(MAX_QUANTITY)}`.execute(tx)
  return rows[0]?.ready ?? 0
}

/** Reserves the slugs of the new products as far as they are free; returns how many. */
export async function claimSlugs(tx: Database, file: string): Promise<number> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('product_slugs')
    .columns(['slug', 'product_id'])
    .expression((eb) =>
      eb
        .selectFrom('import_rows')
        .where('import_id', '=', file)
        .where('seen_at', 'is', null)
        .where('slug', 'is not', null)
        .orderBy('slug')
        .select([sql<string>`slug`.as('slug'), sql<string>`id`.as('id')]),
    )
    .onConflict((taken) =>
      taken
        .column('slug')
        .doUpdateSet({ product_id: sql`excluded.product_id` })
        // of a deleted product
        .where('product_slugs.product_id', 'is', null),
    )
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows)
}

/** The next lines of a file: the last line's number, and their count. */
export async function selectNextLines(tx: Database, file: string, after: number, limit: number) {
  const { rows } = await sql<{ last: number | null; count: number }>`
    select max(line) as last, count(*)::integer as count
    from (
      select line from import_rows
      where import_id = ${file} and id is not null and line > ${after} order by line limit ${limit}
    ) as next`.execute(tx)
  return rows[0] ?? { last: null, count: 0 }
}

type Lines = { file: string; after: number; last: number }

/** Inserts the new products of these lines; returns how many have their categories. */
export async function insertStaged(tx: Database, { file, after, last }: Lines): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into products (id, slug, name, description, price_minor, quantity, category_id, shipping,
      weight_grams, tax_class_id)
    select
      import_rows.id, import_rows.slug, given.name, given.description, given.price_minor,
      given.quantity, categories.id, coalesce(given.shipping, false),
      given.weight_grams, given.tax_class_id
    from import_rows cross join lateral ${GIVEN}
    join categories on categories.name_key = given.category
    where import_id = ${file} and line > ${after} and line <= ${last}
      and import_rows.id is not null and seen_at is null
    order by line`.execute(tx)
  return Number(numAffectedRows)
}

/** Updates the changed products of these lines; `updated_at` increases as with every edit. */
export async function updateStaged(tx: Database, { file, after, last }: Lines): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update products set
      name = coalesce(given.name, products.name),
      description = coalesce(given.description, products.description),
      price_minor = coalesce(given.price_minor, products.price_minor),
      quantity = ${PIECES},
      category_id = coalesce(categories.id, products.category_id),
      shipping = coalesce(given.shipping, products.shipping),
      weight_grams = case when facts ? 'weight_grams' then given.weight_grams
        else products.weight_grams end,
      tax_class_id = case when facts ? 'tax_class_id' then given.tax_class_id
        else products.tax_class_id end,
      updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond')
    from import_rows cross join lateral ${GIVEN}
    left join categories on categories.name_key = given.category
    where import_id = ${file} and line > ${after} and line <= ${last}
      and products.id = import_rows.id and seen_at is not null
      and (given.category is null or categories.id is not null)`.execute(tx)
  return Number(numAffectedRows)
}
