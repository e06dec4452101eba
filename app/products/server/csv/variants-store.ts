/** Statements of the variants of many products at once. */
import { type RawBuilder, sql } from 'kysely'
import { anyOf } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'
import { regularCompareAt, regularPrice } from '../publication/regular.sql.ts'
import type { State } from '../variants/rows.ts'
import { OPTIONS, type VariantRow } from '../variants/store.ts'

type Stored = Omit<VariantRow, 'updated_at'> & { updated_at: string }

/** A column of a row of sellables as it is without the running sale, if the variant takes part in that. */
const regularly = (column: string, regular: RawBuilder<unknown>) => sql`
  case when is_default or (select in_sale from variants where variants.id = sellables.id)
    then ${regular} else ${sql.ref(`sellables.${column}`)} end as ${sql.ref(column)}`

/**
 * The options and variants of products, by the ids of these. Prices are those without a running sale, unless they are
 * asked for as they are stored.
 */
export async function selectStates(
  db: Database,
  ids: string[],
  asStored = false,
): Promise<Map<string, State>> {
  if (ids.length === 0) return new Map()
  const prices = asStored
    ? sql`price_minor, compare_at_minor`
    : sql`${regularly('price_minor', regularPrice('sellables'))},
        ${regularly('compare_at_minor', regularCompareAt('sellables'))}`
  const rows = await db
    .selectFrom('products')
    .where('id', '=', anyOf(ids))
    .select(['id', 'name', OPTIONS.as('options')])
    .select(
      sql<Stored[]>`(
        select jsonb_agg(to_jsonb(one) order by position, id) from (
          select id, is_default, position, value1, value2, value3,
            ${prices}, quantity, weight_grams, sku, barcode, updated_at
          from sellables where product_id = products.id) as one)`.as('variants'),
    )
    .execute()
  return new Map(
    rows.map(({ id, variants, ...product }) => [
      id,
      {
        ...product,
        variants: variants.map((row) => ({ ...row, updated_at: new Date(row.updated_at) })),
      },
    ]),
  )
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

/** Locks the variants of locked products until the transaction ends, in the order in which sales lock them. */
export const lockVariantsOf = (tx: Database, products: string[]) =>
  sql`
    select id from variants where product_id = ${anyOf(products)}
    order by id for no key update`.execute(tx)
