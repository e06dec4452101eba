/** Statements of the options and variants of products. Those that write expect the products to be locked. */

import { sql } from 'kysely'
import type { ProductOption } from '#app/products/variant-contract.ts'
import { SHOP_CURRENCY } from '#app/shared/server/settings/currency-store.ts'
import { anyOf, listOf } from '#app/shared/server/store.ts'
import type { Database, Row } from '#db/schema.ts'
import { COLUMNS as CELL_COLUMNS, SLOTS, type State } from './rows.ts'

const COLUMNS = ['id', 'position', ...SLOTS, ...Object.values(CELL_COLUMNS), 'updated_at'] as const

/** A variant as it is stored. */
export type VariantRow = Pick<Row<'variants'>, (typeof COLUMNS)[number]>

/** The options of a product as the API has them. */
export const OPTIONS = sql<ProductOption[]>`
  (select coalesce(jsonb_agg(jsonb_build_object('slot', slot, 'name', name, 'values', (
      select coalesce(jsonb_agg(jsonb_build_object('_id', id, 'name', option_values.name, 'swatch', swatch)
        order by option_values.position), '[]')
      from option_values
      where (option_values.product_id, option_values.slot) = (product_options.product_id, product_options.slot)
    )) order by position), '[]')
  from product_options where product_id = products.id)`

type Stored = Omit<VariantRow, 'updated_at'> & { updated_at: string }

/** Those that an edit writes. */
const WRITTEN = COLUMNS.filter((column) => column !== 'id' && column !== 'updated_at')

/** The options and variants of products, by the ids of these. */
export async function selectStates(
  db: Database,
  ids: string[],
): Promise<Map<string, State & Pick<Row<'products'>, 'id' | 'slug'>>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('products')
    .where('id', '=', anyOf(ids))
    .select(['id', 'name', 'slug', OPTIONS.as('options'), SHOP_CURRENCY.as('currency')])
    .select(
      sql<Stored[]>`(
        select coalesce(jsonb_agg(to_jsonb(one) order by position, id), '[]') from (
          select ${listOf(COLUMNS)} from variants where product_id = products.id) as one)`.as(
        'variants',
      ),
    )
    .execute()
  return new Map(
    rows.map(({ variants, ...product }) => [
      product.id,
      {
        ...product,
        variants: variants.map((row) => ({ ...row, updated_at: new Date(row.updated_at) })),
      },
    ]),
  )
}

/**
 * Locks products with their variants until the transaction ends, in the order in which sales lock them: against edits
 * and sales, or against all, before they are deleted.
 */
export async function lockProducts(tx: Database, ids: string[], forDeletion = false) {
  await sql`
    select id from products where id = ${anyOf(ids)}
    order by id ${forDeletion ? sql`for update` : sql`for no key update`}`.execute(tx)
  // also before a deletion, which takes them along in any order
  await sql`
    select id from variants where product_id = ${anyOf(ids)}
    order by id for no key update`.execute(tx)
}

/** Stores the options and their values, and removes the others. */
export const replaceOptions = (tx: Database, productId: string, options: ProductOption[]) =>
  sql`
    with wanted as (
      select option.*, at as position
      from jsonb_array_elements(${JSON.stringify(options)}::jsonb) with ordinality as given (value, at)
      cross join jsonb_to_record(value) as option (slot smallint, name text, "values" jsonb)
    ),
    wanted_values as (
      select (one ->> '_id')::uuid as id, slot, at as position, trim(one ->> 'name') as name, one ->> 'swatch' as swatch
      from wanted, jsonb_array_elements("values") with ordinality as given (one, at)
    ),
    removed_values as (
      delete from option_values
      where product_id = ${productId}::uuid and id not in (select id from wanted_values)
    ),
    removed as (
      delete from product_options
      where product_id = ${productId}::uuid and slot not in (select slot from wanted)
    ),
    stored as (
      insert into product_options (product_id, slot, position, name)
      select ${productId}::uuid, slot, position, trim(name) from wanted
      on conflict (product_id, slot) do update set position = excluded.position, name = excluded.name
      where (product_options.position, product_options.name) <> (excluded.position, excluded.name)
    )
    insert into option_values (id, product_id, slot, position, name, swatch)
    select id, ${productId}::uuid, slot, position, name, swatch from wanted_values
    on conflict (id) do update
      set position = excluded.position, name = excluded.name, swatch = excluded.swatch
    where (option_values.product_id, option_values.slot) = (excluded.product_id, excluded.slot)
      and (option_values.position, option_values.name, option_values.swatch)
        is distinct from (excluded.position, excluded.name, excluded.swatch)`.execute(tx)

export const deleteVariants = (tx: Database, productId: string, ids: string[]) =>
  tx.deleteFrom('variants').where('product_id', '=', productId).where('id', 'in', ids).execute()

/** When a variant was written. */
export type Written = { id: string; updated_at: Date }

/** Writes variants; their sale prices stay. */
export async function writeVariants(
  tx: Database,
  productId: string,
  variants: VariantRow[],
): Promise<Written[]> {
  const { rows } = await sql<Written>`
    insert into variants (id, product_id, ${listOf(WRITTEN)})
    select id, ${productId}::uuid, ${listOf(WRITTEN)}
    from jsonb_populate_recordset(null::variants, ${JSON.stringify(variants)}::jsonb)
    on conflict (id) do update set (${listOf(WRITTEN)}) = row(${listOf(WRITTEN, 'excluded')}),
      updated_at = greatest(now(), variants.updated_at + interval '1 millisecond')
    where variants.product_id = excluded.product_id
    returning id, updated_at`.execute(tx)
  return rows
}

/** The products that have these codes as SKU or barcode, by the column and the code. */
export async function selectProductsByCodes(db: Database, codes: string[]) {
  if (codes.length === 0) return new Map<string, { id: string; name: string }>()
  const { rows } = await sql<{ key: string; id: string; name: string }>`
    select found.key, products.id, products.name
    from (
      select 'sku ' || sku as key, product_id from variants where sku = any(${codes}::text[])
      union all
      select 'barcode ' || barcode, product_id from variants where barcode = any(${codes}::text[])
    ) as found join products on products.id = product_id`.execute(db)
  return new Map(rows.map(({ key, ...product }) => [key, product]))
}

/** The pieces of the variants of a product in open payments, which reserve their stock. */
export async function selectHeld(db: Database, productId: string) {
  const { rows } = await sql<{ variant_id: string; pieces: number }>`
    select coalesce(variant_id, listed_variant_id) as variant_id, sum(line.quantity)::integer as pieces
    from payments
    cross join jsonb_to_recordset(quote -> 'lines') as line (product_id uuid, variant_id uuid, quantity integer)
    join products on products.id = line.product_id
    where state = 'open' and reserved_until is not null and line.product_id = ${productId}::uuid
    group by 1`.execute(db)
  return rows
}
